// The panel of the scene: puts robot, objects and layers on the stage and keeps them in step with the state.

import { THREE } from "/three.js";
import { button, byId, download, h, icon, setText, toast } from "./dom.js";
import { filmButton } from "./film.js";
import { Highlight } from "./highlight.js";
import { LAYERS, Layers } from "./layers.js";
import { shareCamera } from "./led.js";
import { geometryOf, groundOf } from "./meshes.js";
import { ObjectsView } from "./objects.js";
import { Pointer } from "./pointer.js";
import { RobotView } from "./robot.js";
import { select, selection } from "./selection.js";
import { Stage } from "./stage.js";
import { reads, store } from "./store.js";
import { send } from "./stream.js";

let stage, view, pointer, hint, caption;

/** Whether the scene can show this name: a link or an object. */
export const isShown = (name) => view?.highlight.knows(name) ?? false;

export function startScene() {
  const parent = byId("scene");
  try {
    stage = new Stage(parent);
  } catch (error) {
    console.error(error);
    parent.append(h("p", { class: "empty" }, "This browser cannot draw in 3D (WebGL is missing or switched off). Everything else works."));
    return;
  }
  hint = h("div", { class: "hint", hidden: true });
  caption = h("div", { class: "caption", hidden: true });
  parent.append(hint, caption);
  pointer = new Pointer(stage, {
    mayDrag: (id) => store.hello?.controls && store.live && view.objects.movable.has(id),
    move: (id, position) => send({ type: "move", object: id, position }),
    hover: showHint,
    picked: (name) => select({ names: name && !(selection.names.length === 1 && selection.names[0] === name) ? [name] : [], joint: null }),
  });
  makeTools();
  shareCamera(stage);
  reads(["scene", "pose", "plan", "map", "objects", "hello"], update);
  reads(["selection", "scene"], highlight);
}

function makeTools() {
  const layers = LAYERS.map(([name, label, doc, on]) =>
    button(label, (event) => {
      if (!view) return;
      const on = !isOn(name);
      view.layers.groups[name].visible = on;
      event.currentTarget.setAttribute("aria-pressed", on);
      view.layers.update();
      stage.invalidate();
    }, { class: "toggle", title: doc, aria: { pressed: String(on) }, data: { layer: name } }));
  byId("layers").append(...layers, 
    button(icon("home"), home, { title: "Look at the robot", aria: { label: "Home" } }),
    button(icon("picture"), save, { title: "Save this picture as PNG", aria: { label: "Save picture" } }), filmButton(stage));
}

const isOn = (name) => byId("layers").querySelector(`[data-layer="${name}"]`).getAttribute("aria-pressed") === "true";

function build(scene) {
  if (view) stage.scene.remove(view.root);
  const geometries = scene.meshes.map(geometryOf);
  const robot = new RobotView(scene.robot, geometries, stage.slow);
  const objects = new ObjectsView(scene.objects, geometries);
  const layers = new Layers(scene, robot, objects);
  const highlights = new Highlight(robot, objects);
  const root = new THREE.Group();
  root.add(...(scene.grounds ?? []).map(groundOf), robot.root, objects.root, highlights.marks, ...Object.values(layers.groups));
  stage.scene.add(root);
  pointer.targets = [robot.root, objects.root];
  pointer.objects = objects;
  for (const [name] of LAYERS) layers.groups[name].visible = isOn(name);
  view = { robot, objects, layers, highlight: highlights, root, first: true };
}

function update(changed) {
  if (changed.has("scene") && store.scene) build(store.scene);
  if (!view) return;
  const { plan, map, objects } = store.sections;
  if (changed.has("objects") || changed.has("scene")) {
    for (const { object, meshes } of objects ?? []) view.objects.add(object, meshes.map(geometryOf));
  }
  const pose = store.sections.pose ?? store.hello?.pose;
  view.robot.root.visible = Boolean(pose); // until somebody says where it is
  if (pose) {
    view.robot.setPosture(pose.q);
    view.objects.setPlaces(pose.objects ?? {}, pointer.dragged);
    view.layers.update();
    if (view.first) home();
  }
  if (changed.has("plan") || changed.has("scene")) view.robot.setPlan(plan?.samples);
  if (changed.has("map") || changed.has("scene")) view.layers.setMap(map);
  stage.invalidate();
}

/** Look at the robot and what is around it. */
function home() {
  if (!view?.robot.q) return;
  const box = new THREE.Box3();
  view.root.updateMatrixWorld(true);
  for (const { mesh } of view.robot.parts) box.union(new THREE.Box3().setFromObject(mesh));
  const around = box.getBoundingSphere(new THREE.Sphere());
  for (const group of view.objects.groups.values()) {
    const place = new THREE.Box3().setFromObject(group);
    const near = place.distanceToPoint(around.center) < 6 * around.radius;
    if (group.visible && near && place.getSize(new THREE.Vector3()).length() < 8 * around.radius) box.union(place);
  }
  stage.lookAt(box.getBoundingSphere(around), 1.0, 0.85); // what is around is rarely a full sphere
  if (view.first) stage.turn.start -= 1e6; // the first time at once
  view.first = false;
}

function highlight() {
  if (!view) return;
  const links = selection.joint ? view.robot.linksOfJoint(selection.joint) : [];
  const names = [...selection.names, ...links];
  const sphere = view.highlight.show(names);
  const shownNames = selection.joint ? [`joint ${selection.joint}`] : view.highlight.names;
  for (const name of ["ghosts", "cells"]) view.layers.groups[name].visible = !sphere && isOn(name); // they would hide it
  caption.hidden = !sphere;
  caption.replaceChildren(...shownNames.map((name, i) => h("span", { class: `mark mark-${i % 2}` }, name)), button("×", () => select({ names: [], joint: null }), { aria: { label: "Show everything as usual" } }));
  if (sphere && selection.turn) stage.lookAt(sphere);
  stage.invalidate();
}

function showHint(name, kind) {
  hint.hidden = !name;
  if (!name) return;
  const asks = kind === "object" && store.hello?.controls && store.live;
  const says = view.objects.movable.has(name) ? "drag to move it, with Shift up and down" : "fixed";
  setText(hint, `${kind} ${name}${asks ? `  ·  ${says}` : ""}`);
}

async function save() {
  const blob = await stage.picture();
  if (!blob) return toast("The picture could not be made.");
  download(blob, `scene-${store.time.toFixed(2)}s.png`);
  return undefined;
}

/** For tests and benchmarks: what is drawn. */
export const inspect = () => ({ frames: stage?.frames ?? 0, names: view?.highlight.names ?? [], q: view?.robot.q, poses: view?.robot.poses ?? [], camera: stage?.camera.position.toArray() });

/** For tests: where in the window the middle of an object or link is seen [px]; null where there is none. */
export function onScreen(name) {
  const [mesh] = [...view.robot.meshesOf(name), ...view.objects.meshesOf(name)];
  if (!mesh) return null;
  const at = new THREE.Box3().setFromObject(mesh).getCenter(new THREE.Vector3()).project(stage.camera);
  const box = stage.canvas.getBoundingClientRect();
  return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
}
