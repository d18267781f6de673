package main

// The StatefulSet controller, the DaemonSet controller, and the history of revisions that both keep.
func init() {
	packages = append(packages, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/history",
		local: "history",
		functions: []string{
			"ControllerRevisionName", "NewControllerRevision", "HashControllerRevision", "SortControllerRevisions",
			"FindEqualRevisions",
		},
	}, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/statefulset",
		local: "statefulset",
		functions: []string{
			"getParentNameAndOrdinal", "podInOrdinalRange", "isMemberOf", "identityMatches", "storageMatches",
			"hasUnexpectedController", "hasNonControllerOwner", "isClaimOwnerUpToDate", "hasStaleOwnerRef",
			"updateClaimOwnerRefForSetAndPod", "getPersistentVolumeClaims", "updateStorage", "initIdentity",
			"updateIdentity", "newStatefulSetPod", "newVersionedStatefulSetPod", "newRevision", "ApplyRevision",
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
	})
}
