//! Refused requests (formats.md 8.4), in the wording of 2.4 to 3.5 and of vendors.

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Ask, Words};

const MAX: &str = "the maximum allocation is less than the request";
const NEW: &[&str] = &[
    "Requested resource type=[{type}]",
    "Requested resource={ask:r}",
    "maximum allowed allocation={max_now:r}",
    "configured maximum allocation={max_configured:r}",
];

const fn row(id: &'static str, what: &'static str, template: &'static str, scene: Scene) -> LinePattern {
    LinePattern::new(id, Ask, what, template, scene)
}

pub const ROWS: &[LinePattern] = &[
    row("D29", "ask larger than the maximum", "requested resource is greater than maximum allowed allocation. Requested resource type=[{type}]", Scene::TooLarge)
        .figures(NEW)
        .why(MAX),
    row("D29", "ask larger than the maximum", "requested resource is greater than maximum allowed allocation", Scene::TooLarge)
        .figures(NEW)
        .why(MAX),
    row("D30", "ask below nothing", "requested resource is less than 0! Requested resource type=[{type}], Requested resource={ask:r}", Scene::Negative)
        .why("less than nothing is asked for"),
    row("D30", "ask larger than the maximum", "requested resource type=[{type}] < 0 or greater than maximum allowed allocation", Scene::TooLarge)
        .words(Words::Older)
        .figures(NEW)
        .why(MAX),
    row("D30", "ask larger than the maximum", "requestedMemory={ask_mb:n}, maxMemory={max_mb:n}", Scene::TooLarge)
        .words(Words::Older)
        .why(MAX),
    row("D30", "ask larger than the maximum", "requestedVirtualCores={ask_vcores:n}, maxVirtualCores={max_vcores:n}", Scene::TooLarge)
        .words(Words::Older)
        .why(MAX),
    row("X", "ask larger than the maximum, GPUs of a patched YARN", "requestedGPUs={ask_gpus:n}, maxGPUs={max_gpus:n}", Scene::TooLarge)
        .words(Words::Vendor)
        .why(MAX),
    row("X", "ask larger than the maximum, GPUs of a patched YARN", "requestedGpus={ask_gpus:n}, maxGpus={max_gpus:n}", Scene::TooLarge)
        .words(Words::Vendor)
        .why(MAX),
    row("X", "ask larger than the maximum, GPUs of a patched YARN", "requestedGPU={ask_gpus:n}, maxGPU={max_gpus:n}", Scene::TooLarge)
        .words(Words::Vendor)
        .why(MAX),
    row("D30", "ask larger than the maximum", "requested memory < 0, or requested memory > max configured", Scene::TooLarge)
        .words(Words::Older)
        .figures(&["requestedMemory={ask_mb:n}", "maxMemory={max_mb:n}"])
        .why(MAX),
    row("D30", "ask larger than the maximum", "requested virtual cores < 0, or requested virtual cores > max configured", Scene::TooLarge)
        .words(Words::Older)
        .figures(&["requestedVirtualCores={ask_vcores:n}", "maxVirtualCores={max_vcores:n}"])
        .why(MAX),
    row("D31", "label that the queue may not use", "queue={queue} doesn't have permission to access all labels in resource request. labelExpression of resource request={label}. Queue labels={queue_labels:t}", Scene::LabelAccess)
        .why("labels of the queue"),
    row("D31", "label that the queue may not use", "doesn't have permission to access all labels in resource request", Scene::LabelAccess)
        .figures(&["queue={queue} doesn't", "labelExpression of resource request={label}", "Queue labels={queue_labels:t}"])
        .why("labels of the queue"),
    row("D32", "label unknown to the cluster", "Invalid label resource request, cluster do not contain , label= {label}", Scene::LabelUnknown)
        .why("the label does not exist"),
    row("D33", "label while labels are off", "node label not enabled but request contains label expression", Scene::LabelsOff)
        .figures(&["label= {label}"])
        .why("node labels are switched off"),
    row("D34", "several labels in one request", "queue={queue} specified more than one node label in a node label expression, node label expression = {label:t}", Scene::SeveralLabels)
        .why("one label for a request"),
    row("D35", "label on a host or rack", "queue={queue} specified node label expression in a resource request has resource name = {place}", Scene::LabelOnPlace)
        .why("no label beside a host or rack"),
    row("X", "constraints while no handler is configured", "Found non empty SchedulingRequest", Scene::None)
        .partly("No placement constraint handler is configured: set yarn.resourcemanager.placement-constraints.handler."),
    row("X", "ask of an application that YARN does not know", "Application doesn't exist in cache {app}", Scene::None)
        .no("The AM talks to a ResourceManager that does not know its attempt (a restart, or the attempt is over); not a matter of placement."),
];
