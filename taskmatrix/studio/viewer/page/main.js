// The page: makes the panels, asks for the scene, connects.

import { startAdjust } from "./adjust.js";
import { startBreakpoints } from "./breakpoints.js";
import { startControls } from "./controls.js";
import { byId, setText } from "./dom.js";
import { countOf, startFailures } from "./failures.js";
import { startChains, startConditions, startParameters } from "./facts.js";
import { camera, followLeader, showBelow } from "./led.js";
import { startLog } from "./log.js";
import { lit, showState, startMachine } from "./machine.js";
import { startNow } from "./now.js";
import { startPlots } from "./plots.js";
import { inspect, onScreen, startScene } from "./scene.js";
import { reads, shown, store, tell } from "./store.js";
import { connect, sendHere } from "./stream.js";
import { makeLarge, makeTabs } from "./tabs.js";
import { startTimeline } from "./timeline.js";
import { startTree } from "./tree.js";

const program = makeTabs(byId("program-tabs"), byId("program"), [["machine", "Machine"], ["tree", "Activation tree"]]);
const side = makeTabs(byId("side-tabs"), byId("side"), [
  ["failures", "Failures"], ["conditions", "Conditions"], ["chains", "Chains"], ["parameters", "Parameters"], ["breakpoints", "Breaks"],
]);

startScene();
startMachine(program.page("machine"), byId("program-tools"), program.isOpen("machine"));
startTree(program.page("tree"), program.isOpen("tree"));
startFailures(side.page("failures"), side.isOpen("failures"));
startConditions(side.page("conditions"), side.isOpen("conditions"));
startChains(side.page("chains"), side.isOpen("chains"));
startAdjust(side.page("parameters"), side.isOpen("parameters"));
startParameters(side.page("parameters"), side.isOpen("parameters"));
startBreakpoints(side.page("breakpoints"), side.isOpen("breakpoints"));
startPlots();
startLog();
startTimeline();
startControls();
startNow((failure) => {
  side.open("failures", true);
  showBelow("side");
  if (failure?.source) showState(failure.source);
});
makeLarge(document.querySelectorAll(".panel"));

reads(["hello"], async () => {
  const { header = {} } = store.hello;
  setText(byId("subtitle"), [header.robot, header.world, header.seed !== undefined ? `seed ${header.seed}` : ""].filter(Boolean).join(" · "));
  try {
    const response = await fetch(`scene.json${location.search}`);
    if (!response.ok) throw new Error(`the server says ${response.status}`);
    store.scene = await response.json();
    tell("scene");
  } catch (error) {
    console.error("no scene:", error);
  }
});
reads(["program"], () => {
  const { program: what } = store.sections;
  setText(byId("title"), what?.behavior ?? "taskmatrix");
  if (!program.byHand) program.open(what && !what.svg && what.components ? "tree" : "machine");
});
let known = 0;
reads(["failures", "conditions", "run", "tree"], () => {
  const count = countOf();
  side.badge("failures", count, store.sections.run?.outcome?.success ? "" : "bad");
  side.badge("breakpoints", (store.sections.run?.breakpoints ?? []).length);
  side.badge("conditions", (store.sections.conditions ?? []).filter(({ holds, role }) => !holds && role !== "guard" && role !== "monitor").length, "warn");
  program.badge("tree", (store.sections.tree ?? []).length);
  if (count > known && !side.byHand) side.open("failures");
  known = count;
});
followLeader();
connect();

/** For a page that leads this one, and for tests and benchmarks in a browser. */
globalThis.taskmatrix = { store, reads, shown, sendHere, camera, inspect, lit, onScreen };
