package main

func init() {
	packages = append(packages, pkg{
		path:      "k8s.io/kubernetes/pkg/controller/namespace/deletion",
		local:     "namespace/deletion",
		functions: []string{"updateConditions", "finalized", "namespaceConditionUpdater.ProcessContentTotals", "namespacedResourcesDeleter.finalizeNamespace"},
		changes: []change{{
			file: "namespaced_resources_deleter.go",
			from: "	namespace, err := d.nsClient.Finalize(ctx,",
			to: "	recorded.Note(\"finalizers\", namespaceFinalize.Spec.Finalizers)\n" +
				"	namespace, err := d.nsClient.Finalize(ctx,",
		}, {
			file: "status_condition_utils.go",
			from: "	if len(contentTotals.gvrToNumRemaining) != 0 {",
			to: "	recorded.Note(\"remaining\", exportRemaining(contentTotals))\n" +
				"	if len(contentTotals.gvrToNumRemaining) != 0 {",
		}},
		hooks: `package deletion

import recorded "` + localModule + `/record"

func exportRemaining(totals allGVRDeletionMetadata) map[string]int {
	counts := map[string]int{}
	for gvr, count := range totals.gvrToNumRemaining {
		counts[gvr.Resource+"."+gvr.Group] = count
	}
	return counts
}

func recordBefore(call *recorded.Call, receiver any) {}

func recordAfter(call *recorded.Call, receiver any) {
	if u, ok := receiver.(*namespaceConditionUpdater); ok {
		call.Note("newConditions", u.newConditions)
	}
}
`,
	}, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/garbagecollector/metaonly",
		local: "garbagecollector/metaonly",
	}, pkg{
		path:  "k8s.io/kubernetes/pkg/controller/garbagecollector",
		local: "garbagecollector",
		functions: []string{
			"GraphBuilder.processGraphChanges", "GarbageCollector.attemptToDeleteItem", "getAlternateOwnerIdentity",
			"node.unblockOwnerReferencesStrategicMergePatch",
		},
		changes: []change{{
			file: "graph_builder.go",
			from: "	event := item\n	obj := item.obj\n",
			to:   "	event := item\n	obj := item.obj\n	recorded.Note(\"event\", exportEvent(event))\n",
		}, {
			file: "graph_builder.go",
			from: "	gb.eventRecorder.Eventf(ref,",
			to: "	recorded.Note(\"invalid \"+string(n.identity.UID), invalidIdentity.String())\n" +
				"	gb.eventRecorder.Eventf(ref,",
		}, {
			file: "graph_builder.go",
			from: "	gv, _ := schema.ParseGroupVersion(ref.APIVersion)\n",
			to: "	recorded.Note(\"virtualDelete\", exportID(ref))\n" +
				"	gv, _ := schema.ParseGroupVersion(ref.APIVersion)\n",
		}, {
			file: "uid_cache.go",
			from: "	_, found := c.cache.Get(reference)\n",
			to: "	_, found := c.cache.Get(reference)\n" +
				"	recorded.Note(\"absent \"+reference.String(), found)\n",
		}, {
			file: "uid_cache.go",
			from: "	c.cache.Add(reference, nil)\n",
			to:   "	c.cache.Add(reference, nil)\n	recorded.Note(\"added \"+reference.String(), true)\n",
		}, {
			file: "operations.go",
			from: "	mapping, err := gc.restMapper.RESTMapping(fqKind.GroupKind(), fqKind.Version)\n",
			to: "	mapping, err := gc.restMapper.RESTMapping(fqKind.GroupKind(), fqKind.Version)\n" +
				"	recorded.Note(\"kind \"+apiVersion+\"/\"+kind, exportKind(mapping, err))\n",
		}, {
			file: "operations.go",
			from: "	return gc.metadataClient.Resource(resource).Namespace(namespace).Get(context.TODO(), item.Name, metav1.GetOptions{})\n",
			to: "	found, err := gc.metadataClient.Resource(resource).Namespace(namespace).Get(context.TODO(), item.Name, metav1.GetOptions{})\n" +
				"	recorded.Note(\"get \"+item.APIVersion+\"/\"+item.Kind+\" \"+namespace+\"/\"+item.Name, exportAnswer(found, err))\n" +
				"	return found, err\n",
		}, {
			file: "garbagecollector.go",
			from: "Get(ctx, reference.Name, metav1.GetOptions{})\n",
			to: "Get(ctx, reference.Name, metav1.GetOptions{})\n" +
				"	recorded.Note(\"get \"+reference.APIVersion+\"/\"+reference.Kind+\" \"+resourceDefaultNamespace(namespaced, item.identity.Namespace)+\"/\"+reference.Name, exportAnswer(owner, err))\n",
		}, {
			file: "operations.go",
			from: "	err = resourceClient.Delete(context.TODO(), item.Name, deleteOptions)\n",
			to: "	err = resourceClient.Delete(context.TODO(), item.Name, deleteOptions)\n" +
				"	if len(resourceVersion) > 0 {\n		recorded.Note(\"delete\", exportDeletion(item, *policy, err))\n	} else {\n		recorded.Note(\"deleteAnyVersion\", exportDeletion(item, *policy, err))\n	}\n",
		}, {
			file: "operations.go",
			from: "		liveObject, liveErr := resourceClient.Get(context.TODO(), item.Name, metav1.GetOptions{})\n",
			to: "		liveObject, liveErr := resourceClient.Get(context.TODO(), item.Name, metav1.GetOptions{})\n" +
				"		recorded.Note(\"afterConflict\", exportAnswer(liveObject, liveErr))\n",
		}, {
			file: "operations.go",
			from: "	return gc.metadataClient.Resource(resource).Namespace(resourceDefaultNamespace(namespaced, item.Namespace)).Patch(",
			to: "	recorded.Note(\"patch\", map[string]any{\"id\": exportID(item), \"patch\": string(patch)})\n" +
				"	return gc.metadataClient.Resource(resource).Namespace(resourceDefaultNamespace(namespaced, item.Namespace)).Patch(",
		}, {
			file: "graph_builder.go",
			from: "	absentIdentityIsClusterScoped := len(verifiedAbsentIdentity.Namespace) == 0\n",
			to: "	absentIdentityIsClusterScoped := len(verifiedAbsentIdentity.Namespace) == 0\n" +
				"	recorded.Note(\"absentId\", exportID(verifiedAbsentIdentity))\n",
		}, {
			file: "dump_test.go",
			from: "func TestMarshalDOT(t *testing.T) {\n",
			to:   "func TestMarshalDOT(t *testing.T) {\n	t.Skip(\"its files are not copied\")\n",
		}, {
			file: "garbagecollector_test.go", // each scenario counts as a test, so that all of its calls are exported
			from: "			for i, s := range scenario.steps {\n",
			to: "			recorded.Test(\"TestConflictingData: \" + strings.ReplaceAll(scenario.name, \"/\", \"-\"))\n" +
				"			for i, s := range scenario.steps {\n",
		}, {
			file: "garbagecollector_test.go",
			from: "func TestGarbageCollectorConstruction(t *testing.T) {\n",
			to:   "func TestGarbageCollectorConstruction(t *testing.T) {\n	t.Skip(\"it depends on time\")\n",
		}, {
			file: "garbagecollector_test.go",
			from: "func TestGarbageCollectorSync(t *testing.T) {\n",
			to:   "func TestGarbageCollectorSync(t *testing.T) {\n	t.Skip(\"it depends on time\")\n",
		}},
		hooks: `package garbagecollector

import (
	"encoding/json"
	"sort"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	recorded "` + localModule + `/record"
)

func (n node) MarshalJSON() ([]byte, error) {
	dependents := []string{}
	for d := range n.dependents {
		dependents = append(dependents, string(d.identity.UID))
	}
	sort.Strings(dependents)
	return json.Marshal(map[string]any{
		"id": exportID(n.identity), "owners": n.owners, "virtual": n.virtual, "beingDeleted": n.beingDeleted,
		"deletingDependents": n.deletingDependents, "dependents": dependents,
	})
}

func exportID(r objectReference) map[string]string {
	return map[string]string{
		"apiVersion": r.APIVersion, "kind": r.Kind, "namespace": r.Namespace, "name": r.Name, "uid": string(r.UID),
	}
}

func exportKind(mapping *meta.RESTMapping, err error) any {
	if err != nil {
		return nil
	}
	return map[string]any{"namespaced": mapping.Scope == meta.RESTScopeNamespace, "plural": mapping.Resource.Resource}
}

func exportAnswer(object *metav1.PartialObjectMetadata, err error) any {
	if errors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err.Error()
	}
	return object.ObjectMeta
}

func exportDeletion(id objectReference, policy metav1.DeletionPropagation, err error) any {
	result := "ok"
	if errors.IsNotFound(err) {
		result = "notFound"
	} else if errors.IsConflict(err) {
		result = "conflict"
	} else if err != nil {
		result = err.Error()
	}
	return map[string]any{"id": exportID(id), "policy": policy, "result": result}
}

func exportEvent(e *event) any {
	exported := map[string]any{"virtual": e.virtual, "type": e.eventType.String(), "apiVersion": e.gvk.GroupVersion().String(), "kind": e.gvk.Kind}
	if o, err := meta.Accessor(e.obj); err == nil {
		exported["object"] = exportMeta(o)
	}
	if o, err := meta.Accessor(e.oldObj); err == nil && e.oldObj != nil {
		exported["oldObject"] = exportMeta(o)
	}
	return exported
}

func exportMeta(o metav1.Object) map[string]any {
	return map[string]any{
		"namespace": o.GetNamespace(), "name": o.GetName(), "uid": o.GetUID(), "ownerReferences": o.GetOwnerReferences(),
		"finalizers": o.GetFinalizers(), "deleting": o.GetDeletionTimestamp() != nil,
	}
}

func exportNodes(gb *GraphBuilder) []*node {
	nodes := []*node{}
	for _, n := range gb.uidToNode.uidToNode {
		nodes = append(nodes, n)
	}
	sort.Slice(nodes, func(i, j int) bool { return nodes[i].identity.UID < nodes[j].identity.UID })
	return nodes
}

func exportQueue(queue any) any {
	tracking, ok := queue.(*trackingWorkqueue[*node])
	if !ok {
		return nil
	}
	ids := []any{}
	for _, n := range tracking.pendingList {
		ids = append(ids, exportID(n.identity))
	}
	return ids
}

func recordGraph(call *recorded.Call, receiver any, when string) {
	gb, ok := receiver.(*GraphBuilder)
	if gc, isGC := receiver.(*GarbageCollector); isGC {
		gb, ok = gc.dependencyGraphBuilder, true
	}
	if ok {
		call.Note("nodes"+when, exportNodes(gb))
		call.Note("collect"+when, exportQueue(gb.attemptToDelete))
		call.Note("orphan"+when, exportQueue(gb.attemptToOrphan))
	}
	if n, isNode := receiver.(*node); isNode {
		call.Note("node", n)
	}
}

func recordBefore(call *recorded.Call, receiver any) { recordGraph(call, receiver, "Before") }

func recordAfter(call *recorded.Call, receiver any) { recordGraph(call, receiver, "After") }
`,
	})
}
