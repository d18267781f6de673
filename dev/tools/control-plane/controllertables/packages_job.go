package main

// The packages of the controllers of Jobs, CronJobs, finished Jobs and PodDisruptionBudgets, and of the library that parses
// the schedules of CronJobs.
func init() {
	packages = append(packages, jobPackage, cronPackage, cronJobPackage, ttlPackage, disruptionPackage)
}

var jobPackage = pkg{
	path:  "k8s.io/kubernetes/pkg/controller/job",
	local: "job",
	functions: []string{
		"matchPodFailurePolicy", "matchSuccessPolicy", "parseIndexesFromString", "calculateSucceededIndexes",
		"calculateFailedIndexes", "isIndexFailed", "firstPendingIndexes", "appendDuplicatedIndexPodsForRemoval",
		"getPodsWithDelayedDeletionPerIndex", "getNewIndexFailureCounts", "podGenerateNameWithIndex", "getFinishedTime",
		"getRemainingTimeForFailuresCount", "backoffStore.newBackoffRecord", "orderedIntervals.merge", "orderedIntervals.has",
		"orderedIntervals.String", "getNewFinishedPods", "ensureJobConditionStatus", "pastBackoffLimitOnFailure",
		"getFailJobMessage", "activePodsForRemoval", "cleanUncountedPodsWithoutFinalizers",
		"Controller.trackJobStatusAndRemoveFinalizers", "Controller.syncJob", "Controller.handleSingleOrphanPod",
	},
	changes: []change{{
		file: "backoff_utils.go",
		from: "	timeElapsedSinceLastFailure := clock.Since(*lastFailureTime)",
		to: "	recorded.Note(\"elapsed\", clock.Since(*lastFailureTime))\n" +
			"	timeElapsedSinceLastFailure := clock.Since(*lastFailureTime)",
	}, {
		// A time of zero is no time in JSON.
		file: "job_controller_test.go",
		from: "	pb.DeletionTimestamp = &metav1.Time{}\n",
		to:   "	pb.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}\n",
	}, {
		file: "job_controller_test.go",
		from: "					DeletionTimestamp: &metav1.Time{},\n",
		to:   "					DeletionTimestamp: &metav1.Time{Time: time.Unix(1, 0)},\n",
	}, {
		file: "job_controller_test.go",
		from: "	job.DeletionTimestamp = &metav1.Time{}\n",
		to:   "	job.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}\n",
	}, {
		file: "job_controller_test.go",
		from: "	cachedJob.DeletionTimestamp = &metav1.Time{}\n",
		to:   "	cachedJob.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}\n",
	}},
	hooks: `package job

import (
	"context"
	"sync"

	batch "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	controller "` + localModule + `/controller"
	recorded "` + localModule + `/record"
)

var (
	hookLock sync.Mutex
	updates  = map[*recorded.Call][]*batch.Job{}
	handlers = map[*recorded.Call]func(context.Context, *batch.Job) (*batch.Job, error){}
)

func recordBefore(call *recorded.Call, receiver any) {
	switch r := receiver.(type) {
	case *Controller:
		jobs, _ := r.jobLister.List(labels.Everything())
		call.Note("jobs", jobs)
		pods, _ := r.podStore.List(labels.Everything())
		call.Note("pods", pods)
		call.Note("clock", r.clock.Now())
		call.Note("backoff", r.podBackoffStore.store.List())
		if key, ok := firstKey(jobs); ok {
			call.Note("satisfied", r.expectations.SatisfiedExpectations(klog.Background(), key))
			call.Note("expectedRemovals", r.finalizerExpectations.getExpectedUIDs(key))
		}
		noteControl(call, "controlBefore", r)
		hookLock.Lock()
		defer hookLock.Unlock()
		original := r.updateStatusHandler
		handlers[call] = original
		r.updateStatusHandler = func(ctx context.Context, job *batch.Job) (*batch.Job, error) {
			hookLock.Lock()
			updates[call] = append(updates[call], job.DeepCopy())
			hookLock.Unlock()
			return original(ctx, job)
		}
	case *backoffStore:
		call.Note("store", r.store.List())
	case orderedIntervals:
		call.Note("receiver", r)
	}
}

func recordAfter(call *recorded.Call, receiver any) {
	if r, ok := receiver.(*Controller); ok {
		noteControl(call, "control", r)
		call.Note("backoffAfter", r.podBackoffStore.store.List())
		hookLock.Lock()
		defer hookLock.Unlock()
		call.Note("updates", updates[call])
		r.updateStatusHandler = handlers[call]
		delete(updates, call)
		delete(handlers, call)
	}
}

func firstKey(jobs []*batch.Job) (string, bool) {
	if len(jobs) != 1 {
		return "", false
	}
	key, err := cache.MetaNamespaceKeyFunc(jobs[0])
	return key, err == nil
}

func noteControl(call *recorded.Call, name string, r *Controller) {
	f, ok := r.podControl.(*controller.FakePodControl)
	if !ok {
		return
	}
	f.Lock()
	defer f.Unlock()
	patches := []string{}
	for _, p := range f.Patches {
		patches = append(patches, string(p))
	}
	call.Note(name, map[string]any{
		"templates": f.Templates, "deleted": f.DeletePodName, "patches": patches, "error": f.Err,
		"createLimit": f.CreateLimit, "createCalls": f.CreateCallCount,
	})
}
`,
}

var cronPackage = pkg{
	path:  "github.com/robfig/cron/v3",
	local: "cron",
	functions: []string{
		"ParseStandard", "getField", "SpecSchedule.Next", "ConstantDelaySchedule.Next",
	},
	// The other tests wait for schedules in real time. The wrappers need a line before the clause of the package.
	changes: []change{
		{file: "cron_test.go", from: "package cron\n", to: "//go:build never\n\npackage cron\n"},
		{file: "chain_test.go", from: "package cron\n", to: "//go:build never\n\npackage cron\n"},
		{file: "option_test.go", from: "package cron\n", to: "//go:build never\n\npackage cron\n"},
		{file: "parser.go", from: "package cron\n", to: "// Copied.\n\npackage cron\n"},
		{file: "constantdelay.go", from: "package cron\n", to: "// Copied.\n\npackage cron\n"},
		{file: "spec.go", from: "package cron\n", to: "// Copied.\n\npackage cron\n"},
		{file: "parser_test.go", from: "package cron\n", to: "// Copied.\n\npackage cron\n"},
		{file: "constantdelay_test.go", from: "package cron\n", to: "// Copied.\n\npackage cron\n"},
		{file: "spec_test.go", from: "package cron\n", to: "// Copied.\n\npackage cron\n"},
		{
			file: "spec.go",
			from: "	origLocation := t.Location()\n",
			to:   "	origLocation := t.Location()\n	recorded.Note(\"zone\", origLocation.String())\n",
		},
	},
	hooks: `package cron

import recorded "` + localModule + `/record"

func recordBefore(call *recorded.Call, receiver any) {
	if s, ok := receiver.(*SpecSchedule); ok {
		call.Note("fields", []uint64{s.Second, s.Minute, s.Hour, s.Dom, s.Month, s.Dow})
		call.Note("scheduleZone", s.Location.String())
	} else {
		call.Note("receiver", receiver)
	}
}

func recordAfter(call *recorded.Call, receiver any) {}
`,
}

var cronJobPackage = pkg{
	path:  "k8s.io/kubernetes/pkg/controller/cronjob",
	local: "cronjob",
	functions: []string{
		"mostRecentScheduleTime", "nextScheduleTimeDuration", "getJobFromTemplate2", "ControllerV2.syncCronJob",
		"ControllerV2.cleanupFinishedJobs", "byJobStartTime.Less", "ControllerV2.updateCronJob",
	},
	// An import that is redirected has the last word of its path as its name, if it has none.
	changes: []change{{
		file: "utils.go",
		from: "	\"github.com/robfig/cron/v3\"\n",
		to:   "	cron \"github.com/robfig/cron/v3\"\n",
	}},
	hooks: `package cronjob

import (
	"k8s.io/client-go/tools/record"

	recorded "` + localModule + `/record"
)

func recordBefore(call *recorded.Call, receiver any) {
	switch r := receiver.(type) {
	case *ControllerV2:
		call.Note("clock", r.now())
		if c, ok := r.jobControl.(*fakeJobControl); ok {
			call.Note("job", c.Job)
			call.Note("error", c.Err)
			call.Note("createError", c.CreateErr)
		}
		if c, ok := r.cronJobControl.(*fakeCJControl); ok {
			call.Note("cronJob", c.CronJob)
		}
	case byJobStartTime:
		call.Note("jobs", []any{r})
	}
}

func recordAfter(call *recorded.Call, receiver any) {
	r, ok := receiver.(*ControllerV2)
	if !ok {
		return
	}
	if c, ok := r.jobControl.(*fakeJobControl); ok {
		call.Note("created", c.Jobs)
		call.Note("deleted", c.DeleteJobName)
	}
	if f, ok := r.recorder.(*record.FakeRecorder); ok {
		events := []string{}
		for n := len(f.Events); n > 0; n-- {
			e := <-f.Events
			events = append(events, e)
			f.Events <- e
		}
		call.Note("events", events)
	}
}
`,
}

var ttlPackage = pkg{
	path:      "k8s.io/kubernetes/pkg/controller/ttlafterfinished",
	local:     "ttlafterfinished",
	functions: []string{"timeLeft"},
}

var disruptionPackage = pkg{
	path:  "k8s.io/kubernetes/pkg/controller/disruption",
	local: "disruption",
	functions: []string{
		"countHealthyPods", "DisruptionController.buildDisruptedPodMap", "DisruptionController.sync",
		"DisruptionController.syncStalePodDisruption", "DisruptionController.getExpectedScale",
		"DisruptionController.nonTerminatingPodHasStaleDisruptionCondition",
	},
	hooks: `package disruption

import (
	"context"
	"sync"

	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"

	recorded "` + localModule + `/record"
)

var (
	hookLock sync.Mutex
	writes   = map[*recorded.Call][]*policy.PodDisruptionBudget{}
	updaters = map[*recorded.Call]func() updater{}
)

func recordBefore(call *recorded.Call, r *DisruptionController) {
	call.ActionsBefore(r.kubeClient)
	call.Note("clock", r.clock.Now())
	pods, _ := r.podLister.List(labels.Everything())
	call.Note("pods", pods)
	budgets, _ := r.pdbLister.List(labels.Everything())
	call.Note("budgets", budgets)
	controllers, _ := r.rcLister.List(labels.Everything())
	call.Note("replicationControllers", controllers)
	replicaSets, _ := r.rsLister.List(labels.Everything())
	call.Note("replicaSets", replicaSets)
	deployments, _ := r.dLister.List(labels.Everything())
	call.Note("deployments", deployments)
	statefulSets, _ := r.ssLister.List(labels.Everything())
	call.Note("statefulSets", statefulSets)
	hookLock.Lock()
	defer hookLock.Unlock()
	original := r.getUpdater
	updaters[call] = original
	r.getUpdater = func() updater {
		return func(ctx context.Context, budget *policy.PodDisruptionBudget) error {
			hookLock.Lock()
			writes[call] = append(writes[call], budget.DeepCopy())
			hookLock.Unlock()
			return original()(ctx, budget)
		}
	}
}

func recordAfter(call *recorded.Call, r *DisruptionController) {
	call.ActionsAfter(r.kubeClient)
	hookLock.Lock()
	defer hookLock.Unlock()
	call.Note("written", writes[call])
	r.getUpdater = updaters[call]
	delete(writes, call)
	delete(updaters, call)
}
`,
}
