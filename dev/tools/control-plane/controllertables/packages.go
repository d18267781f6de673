package main

// pkg is a package to copy: where it comes from, where it goes, which functions are recorded, and how.
type pkg struct {
	path      string
	local     string
	functions []string
	changes   []change
	hooks     string
}

// change replaces one line of a file, for what is not an argument of a recorded function.
type change struct{ file, from, to string }

// skippedTests wait for real time with running workers; what they export would depend on timing.
const skippedTests = "Batching$|^TestWaitsForAllInformersToBeSynced2$|^TestTopologyCacheRace$"

var packages = []pkg{
	{
		path:  "k8s.io/kubernetes/pkg/controller",
		local: "controller",
		functions: []string{
			"FilterActivePods", "FilterTerminatingPods", "FilterClaimedPods", "nextPodAvailabilityCheck",
			"findMinNextPodAvailabilitySimpleCheck", "PodControllerRefManager.ClaimPods", "FilterActiveReplicaSets",
		},
		changes: []change{{
			file: "controller_utils.go",
			from: "func (s ActivePodsWithRanks) Less(i, j int) bool {",
			to: `func (s ActivePodsWithRanks) Less(i, j int) bool {
	call := recorded.Start("controller.ActivePodsWithRanks.Less", "pods", []*v1.Pod{s.Pods[i], s.Pods[j]},
		"ranks", []int{s.Rank[i], s.Rank[j]}, "reference", s.Now)
	result := s.originalLess(i, j)
	call.End(result)
	return result
}

func (s ActivePodsWithRanks) originalLess(i, j int) bool {`,
		}, {
			file: "controller_utils.go",
			from: "	var result []*v1.Pod\n	for _, pod := range pods {\n		if !metav1.IsControlledBy(pod, controller) {",
			to: "	recorded.Note(\"selector\", selector.String())\n" +
				"	var result []*v1.Pod\n	for _, pod := range pods {\n		if !metav1.IsControlledBy(pod, controller) {",
		}},
		hooks: `package controller

import recorded "` + localModule + `/record"

func recordBefore(call *recorded.Call, m *PodControllerRefManager) {
	call.Note("controller", m.Controller)
	call.Note("selector", m.Selector.String())
}

func recordAfter(call *recorded.Call, m *PodControllerRefManager) {
	call.Note("canAdoptError", m.canAdoptErr)
	if f, ok := m.podControl.(*FakePodControl); ok {
		patches := []string{}
		for _, p := range f.Patches {
			patches = append(patches, string(p))
		}
		call.Note("patches", patches)
	}
}
`,
	},
	{
		path:  "k8s.io/kubernetes/pkg/controller/deployment/util",
		local: "deployment/util",
		functions: []string{
			"GetDeploymentCondition", "SetDeploymentCondition", "RemoveDeploymentCondition", "ReplicaSetToDeploymentCondition",
			"MaxRevision", "LastRevision", "SetNewReplicaSetAnnotations", "SetDeploymentAnnotationsTo", "FindActiveOrLatest",
			"getNonNegativeInt32FromAnnotation", "SetReplicasAnnotations", "ReplicasAnnotationsNeedUpdate", "MaxUnavailable",
			"MinAvailable", "MaxSurge", "GetReplicaSetProportion", "getReplicaSetFraction", "EqualIgnoreHash",
			"FindNewReplicaSet", "FindOldReplicaSets", "SetFromReplicaSetTemplate", "GetReplicaCountForReplicaSets",
			"GetActualReplicaCountForReplicaSets", "GetReadyReplicaCountForReplicaSets",
			"GetAvailableReplicaCountForReplicaSets", "GetTerminatingReplicaCountForReplicaSets", "DeploymentComplete",
			"DeploymentProgressing", "DeploymentTimedOut", "NewRSNewReplicas", "IsSaturated", "ResolveFenceposts",
			"GetDeploymentsForReplicaSet",
		},
		changes: []change{{
			file: "deployment_util.go",
			from: "	var deployments []*apps.Deployment\n	for _, d := range dList {",
			to:   "	recorded.Note(\"deployments\", dList)\n	var deployments []*apps.Deployment\n	for _, d := range dList {",
		}, {
			file: "deployment_util.go",
			from: "	timedOut := from.Add(delta).Before(now)",
			to:   "	recorded.Note(\"now\", now)\n	timedOut := from.Add(delta).Before(now)",
		}},
	},
	{
		path:  "k8s.io/kubernetes/pkg/controller/deployment",
		local: "deployment",
		functions: []string{
			"DeploymentController.scale", "DeploymentController.reconcileNewReplicaSet",
			"DeploymentController.reconcileOldReplicaSets", "DeploymentController.cleanupUnhealthyReplicas",
			"DeploymentController.scaleDownOldReplicaSetsForRollingUpdate",
			"DeploymentController.scaleDownOldReplicaSetsForRecreate", "DeploymentController.cleanupDeployment",
			"DeploymentController.requeueStuckDeployment", "DeploymentController.syncRolloutStatus",
			"DeploymentController.getReplicaFailures", "DeploymentController.getReplicaSetsForDeployment",
			"DeploymentController.syncDeployment",
			"calculateStatus", "oldPodsRunning", "generateReplicaSetName",
		},
		changes: []change{{
			file: "progress.go",
			from: "	after := currentCond.LastUpdateTime.Time.Add(",
			to:   "	recorded.Note(\"now\", nowFn())\n	after := currentCond.LastUpdateTime.Time.Add(",
		}},
		hooks: `package deployment

import (
	"k8s.io/apimachinery/pkg/labels"

	recorded "` + localModule + `/record"
)

func recordBefore(call *recorded.Call, dc *DeploymentController) {
	call.ActionsBefore(dc.client)
	if dc.rsLister != nil && dc.dLister != nil {
		sets, _ := dc.rsLister.List(labels.Everything())
		call.Note("replicaSets", sets)
		deployments, _ := dc.dLister.List(labels.Everything())
		call.Note("deployments", deployments)
	}
}

func recordAfter(call *recorded.Call, dc *DeploymentController) { call.ActionsAfter(dc.client) }
`,
	},
	{
		path:  "k8s.io/kubernetes/pkg/controller/replicaset",
		local: "replicaset",
		functions: []string{
			"ReplicaSetController.manageReplicas", "ReplicaSetController.claimPods", "slowStartBatch", "getPodsToDelete",
			"getPodsRankedByRelatedPodsOnSameNode", "calculateStatus", "GetCondition", "SetCondition", "RemoveCondition",
			"ReplicaSetController.getIndirectlyRelatedPods",
		},
		hooks: `package replicaset

import (
	"k8s.io/apimachinery/pkg/labels"

	controller "` + localModule + `/controller"
	recorded "` + localModule + `/record"
)

func recordBefore(call *recorded.Call, rsc *ReplicaSetController) {
	call.ActionsBefore(rsc.kubeClient)
	call.Note("burst", rsc.burstReplicas)
	sets, _ := rsc.rsLister.List(labels.Everything())
	call.Note("replicaSets", sets)
	pods, _ := rsc.podLister.List(labels.Everything())
	call.Note("pods", pods)
	if f, ok := rsc.podControl.(*controller.FakePodControl); ok {
		call.Note("before", map[string]any{"created": len(f.Templates), "deleted": len(f.DeletePodName), "patched": len(f.Patches)})
		call.Note("createLimit", f.CreateLimit)
		call.Note("controlError", f.Err)
	}
}

func recordAfter(call *recorded.Call, rsc *ReplicaSetController) {
	call.ActionsAfter(rsc.kubeClient)
	if f, ok := rsc.podControl.(*controller.FakePodControl); ok {
		patches := []string{}
		for _, p := range f.Patches {
			patches = append(patches, string(p))
		}
		call.Note("control", map[string]any{"created": len(f.Templates), "deleted": f.DeletePodName, "patches": patches})
	}
}
`,
	},
	{
		path:      "k8s.io/kubernetes/pkg/api/v1/endpoints",
		local:     "endpoints",
		functions: []string{"RepackSubsets"},
	},
	{
		path:  "k8s.io/endpointslice/util",
		local: "endpointslice/util",
		functions: []string{
			"GetPodUpdateProjectionKey", "GetServicesToUpdate", "ShouldPodBeInEndpoints", "ShouldSetHostname",
			"podEndpointsChanged", "determineNeededServiceUpdates", "EndpointsEqualBeyondHash",
			"TriggerTimeTracker.ComputeEndpointLastChangeTriggerTime",
		},
		changes: []change{{
			file: "controller_utils.go",
			from: "	if key == nil {\n		return nil, nil\n	}",
			to: "	if key == nil {\n		return nil, nil\n	}\n" +
				"	if list, err := serviceLister.List(labels.Everything()); err == nil {\n		recorded.Note(\"services\", list)\n	}",
		}},
		hooks: `package util

import recorded "` + localModule + `/record"

func recordBefore(call *recorded.Call, t *TriggerTimeTracker) { call.Note("state", t.ServiceStates) }

func recordAfter(call *recorded.Call, t *TriggerTimeTracker) {}
`,
	},
	{
		path:      "k8s.io/endpointslice/trafficdist",
		local:     "endpointslice/trafficdist",
		functions: []string{"ReconcileHints"},
	},
	{
		path:  "k8s.io/endpointslice/topologycache",
		local: "endpointslice/topologycache",
		functions: []string{
			"TopologyCache.AddHints", "TopologyCache.SetNodes", "redistributeHints", "getGivingAndReceivingZones",
			"getHintsByZone", "serviceOverloaded",
		},
		hooks: `package topologycache

import recorded "` + localModule + `/record"

func recordBefore(call *recorded.Call, t *TopologyCache) {
	call.Note("cpuRatiosByZone", t.cpuRatiosByZone)
	call.Note("hintsPopulatedByService", t.hintsPopulatedByService)
}

func recordAfter(call *recorded.Call, t *TopologyCache) {
	call.Note("cpuRatiosByZoneAfter", t.cpuRatiosByZone)
	call.Note("endpointsByService", t.endpointsByService)
}
`,
	},
	{
		path:  "k8s.io/endpointslice/metrics",
		local: "endpointslice/metrics",
	},
	{
		path:  "k8s.io/endpointslice",
		local: "endpointslice",
		functions: []string{
			"Reconciler.Reconcile", "podToEndpoint", "getEndpointPorts", "getEndpointAddresses", "newEndpointSlice",
			"setEndpointSliceLabels", "getAddressTypesForService", "hintsEnabled", "ServiceControllerKey", "FindPort",
			"getSliceToFill", "ownedBy", "Reconciler.finalize",
		},
		changes: []change{{
			file: "reconciler_test.go",
			from: "placeholderSliceCompare.DeepEqual(tc.x, tc.y)",
			to: "func() bool {\n			call := recorded.Start(\"endpointslice.placeholderSliceCompare\", \"x\", tc.x, \"y\", tc.y)\n" +
				"			result := placeholderSliceCompare.DeepEqual(tc.x, tc.y)\n			call.End(result)\n			return result\n		}()",
		}},
		hooks: `package endpointslice

import (
	"k8s.io/apimachinery/pkg/labels"

	recorded "` + localModule + `/record"
)

func recordBefore(call *recorded.Call, r *Reconciler) {
	call.ActionsBefore(r.client)
	call.Note("maxEndpointsPerSlice", r.maxEndpointsPerSlice)
	call.Note("preferSame", r.preferSameTrafficDistribution)
	call.Note("controllerName", r.controllerName)
	if r.topologyCache != nil {
		call.Note("topologyCache", r.topologyCache)
	}
	if r.nodeLister != nil {
		nodes, _ := r.nodeLister.List(labels.Everything())
		call.Note("nodes", nodes)
	}
}

func recordAfter(call *recorded.Call, r *Reconciler) { call.ActionsAfter(r.client) }
`,
	},
	{
		path:  "k8s.io/kubernetes/pkg/controller/endpointslice",
		local: "endpointslicecontroller",
	},
	{
		path:  "k8s.io/kubernetes/pkg/controller/endpoint",
		local: "endpoint",
		functions: []string{
			"Controller.syncService", "podToEndpointAddressForService", "endpointPortFromServicePort",
			"capacityAnnotationSetCorrectly", "truncateEndpoints", "endpointSubsetsEqualIgnoreResourceVersion",
			"labelsCorrectForEndpoints",
		},
		changes: []change{{
			file: "endpoints_controller.go",
			from: "	var updatedEndpoints *v1.Endpoints\n",
			to: "	recorded.Note(\"written\", map[string]any{\"create\": createEndpoints, \"endpoints\": newEndpoints})\n" +
				"	var updatedEndpoints *v1.Endpoints\n",
		}, {
			file: "endpoints_controller.go",
			from: "	endpointsLastChangeTriggerTime := e.triggerTimeTracker.\n		ComputeEndpointLastChangeTriggerTime(namespace, service, pods)\n",
			to: "	endpointsLastChangeTriggerTime := e.triggerTimeTracker.\n		ComputeEndpointLastChangeTriggerTime(namespace, service, pods)\n" +
				"	recorded.Note(\"triggerTime\", endpointsLastChangeTriggerTime)\n",
		}},
		hooks: `package endpoint

import (
	"k8s.io/apimachinery/pkg/labels"

	recorded "` + localModule + `/record"
)

func recordBefore(call *recorded.Call, e *Controller) {
	services, _ := e.serviceLister.List(labels.Everything())
	call.Note("services", services)
	pods, _ := e.podLister.List(labels.Everything())
	if len(pods) > 0 {
		call.Note("pods", pods)
	}
	endpoints, _ := e.endpointsLister.List(labels.Everything())
	call.Note("endpointsList", endpoints)
}

func recordAfter(call *recorded.Call, e *Controller) {}
`,
	},
}
