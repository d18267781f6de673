package main

// The StatefulSet controller, the DaemonSet controller, and the history of revisions that both keep.
func init() {
	packages = append(packages, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/history",
		local: "history",
		functions: []string{
			"ControllerRevisionName", "SortControllerRevisions", "FindEqualRevisions",
		},
	}, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/statefulset",
		local: "statefulset",
		functions: []string{
			"getParentNameAndOrdinal", "podInOrdinalRange", "isMemberOf", "identityMatches", "storageMatches",
			"hasUnexpectedController", "hasNonControllerOwner", "isClaimOwnerUpToDate", "hasStaleOwnerRef",
			"updateClaimOwnerRefForSetAndPod", "getPersistentVolumeClaims", "updateStorage", "initIdentity",
			"updateIdentity", "newStatefulSetPod", "newRevision", "ApplyRevision",
			"nextRevision", "completeUpdate", "getStatefulSetMaxUnavailable", "isRunningAndReady", "isUnavailable",
			"computeReplicaStatus", "defaultStatefulSetControl.updateStatefulSet",
			"defaultStatefulSetControl.truncateHistory",
		},
		changes: []change{{
			file: "stateful_set_control.go",
			from: "	// set the generation, and revisions in the returned status\n",
			to:   "	recorded.Note(\"claims\", claimsOf(ssc, set, pods))\n",
		}, {
			file: "stateful_set_control.go",
			from: "	// delete any non-live history to maintain the revision limit.\n",
			to:   "	recorded.Note(\"expired\", history[:(historyLen-historyLimit)])\n",
		}, {
			file: "stateful_pod_control.go",
			from: "	err := spc.objectMgr.CreatePod(ctx, pod, set)\n",
			to:   "	err := spc.objectMgr.CreatePod(ctx, pod, set)\n	effect(\"create pod \" + pod.Name)\n",
		}, {
			file: "stateful_pod_control.go",
			from: "		updateErr := spc.objectMgr.UpdatePod(pod, set)\n",
			to:   "		updateErr := spc.objectMgr.UpdatePod(pod, set)\n		effect(\"update pod \" + pod.Name)\n",
		}, {
			file: "stateful_pod_control.go",
			from: "	if err := spc.objectMgr.DeletePod(pod); err != nil {\n",
			to:   "	effect(\"delete pod \" + pod.Name)\n	if err := spc.objectMgr.DeletePod(pod); err != nil {\n",
		}, {
			file: "stateful_pod_control.go",
			from: "			err := spc.objectMgr.CreateClaim(&claim, set)\n",
			to:   "			err := spc.objectMgr.CreateClaim(&claim, set)\n			effect(\"create claim \" + claim.Name)\n",
		}},
		hooks: `package statefulset

import (
	"sync"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"

	recorded "` + localModule + `/record"
)

var (
	effectsLock sync.Mutex
	effects     []string
)

func effect(text string) {
	effectsLock.Lock()
	defer effectsLock.Unlock()
	effects = append(effects, text)
}

func claimsOf(ssc *defaultStatefulSetControl, set *apps.StatefulSet, pods []*v1.Pod) []*v1.PersistentVolumeClaim {
	ordinals := map[int]bool{}
	for i := getStartOrdinal(set); i <= getEndOrdinal(set); i++ {
		ordinals[i] = true
	}
	for _, pod := range pods {
		ordinals[getOrdinal(pod)] = true
	}
	claims := []*v1.PersistentVolumeClaim{}
	for ordinal := range ordinals {
		for i := range set.Spec.VolumeClaimTemplates {
			name := getPersistentVolumeClaimName(set, &set.Spec.VolumeClaimTemplates[i], ordinal)
			if claim, err := ssc.podControl.objectMgr.GetClaim(set.Namespace, name); err == nil {
				claims = append(claims, claim)
			}
		}
	}
	return claims
}

func recordBefore(call *recorded.Call, ssc *defaultStatefulSetControl) {
	effectsLock.Lock()
	defer effectsLock.Unlock()
	effects = nil
}

func recordAfter(call *recorded.Call, ssc *defaultStatefulSetControl) {
	effectsLock.Lock()
	defer effectsLock.Unlock()
	call.Note("effects", effects)
}
`,
	}, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/daemon/util",
		local: "daemon/util",
		functions: []string{
			"CreatePodTemplate", "AllowsSurge", "SurgeCount", "UnavailableCount", "IsPodUpdated",
			"ReplaceDaemonSetPodNodeNameNodeAffinity", "GetTargetNodeName",
		},
	}, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/daemon",
		local: "daemon",
		functions: []string{
			"NodeShouldRunDaemonPod", "findUpdatedPodsOnNode", "getUnscheduledPodsWithoutNode",
			"DaemonSetsController.podsShouldBeOnNode", "DaemonSetsController.updatedDesiredNodeCounts",
			"DaemonSetsController.rollingUpdate", "DaemonSetsController.updateDaemonSetStatus",
			"podByCreationTimestampAndPhase.Less",
		},
		changes: []change{{
			file: "daemon_controller.go",
			from: "				inBackoff := dsc.failedPodsBackoff.IsInBackOffSinceUpdate(backoffKey, now)\n",
			to: "				inBackoff := dsc.failedPodsBackoff.IsInBackOffSinceUpdate(backoffKey, now)\n" +
				"				recorded.Note(\"inBackoff\", inBackoff)\n",
		}, {
			file: "daemon_controller.go",
			from: "	numberUnavailable := desiredNumberScheduled - numberAvailable\n",
			to: "	numberUnavailable := desiredNumberScheduled - numberAvailable\n" +
				"	recorded.Note(\"nodeToDaemonPods\", nodeToDaemonPods)\n	recorded.Note(\"time\", now)\n" +
				"	recorded.Note(\"counts\", []int{desiredNumberScheduled, currentNumberScheduled, numberMisscheduled," +
				" numberReady, updatedNumberScheduled, numberAvailable, numberUnavailable})\n",
		}, {
			file: "update.go",
			from: "	now := dsc.failedPodsBackoff.Clock.Now()\n",
			to: "	now := dsc.failedPodsBackoff.Clock.Now()\n	recorded.Note(\"time\", now)\n" +
				"	recorded.Note(\"nodeToDaemonPods\", nodeToDaemonPods)\n",
		}, {
			file: "update.go",
			from: "		return dsc.syncNodes(ctx, ds, oldPodsToDelete, nil, hash)\n",
			to: "		recorded.Note(\"delete\", oldPodsToDelete)\n" +
				"		return dsc.syncNodes(ctx, ds, oldPodsToDelete, nil, hash)\n",
		}, {
			file: "update.go",
			from: "	return dsc.syncNodes(ctx, ds, oldPodsToDelete, newNodesToCreate, hash)\n",
			to: "	recorded.Note(\"delete\", oldPodsToDelete)\n	recorded.Note(\"create\", newNodesToCreate)\n" +
				"	return dsc.syncNodes(ctx, ds, oldPodsToDelete, newNodesToCreate, hash)\n",
		}},
		hooks: `package daemon

import recorded "` + localModule + `/record"

func recordBefore(call *recorded.Call, receiver any) {
	if pods, ok := receiver.(podByCreationTimestampAndPhase); ok {
		call.Note("pods", pods)
	}
}

func recordAfter(call *recorded.Call, receiver any) {}
`,
	})
}
