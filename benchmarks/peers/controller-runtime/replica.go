package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func init() {
	works["replica"] = replicaWork
}

// replica is an operator like that of the class ShardProcess. All replicas have a full cache, and the leader reconciles.
type replica struct {
	client     client.Client
	cached     atomic.Int64
	reconciles atomic.Int64
	requests   atomic.Int64
	conflicts  atomic.Int64
	synced     []func() bool
}

// replicaWork answers each line of its input with a report, and ends with its input. Arguments: a kubeconfig, and one that is ignored.
func replicaWork(ctx context.Context, arguments []string) error {
	config, err := clientcmd.BuildConfigFromFlags("", arguments[0])
	if err != nil {
		return err
	}
	own := &replica{}
	config.QPS = -1
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &counter{next: next, replica: own} })
	ctrl.SetLogger(logr.Discard())
	manager, err := newReplicaManager(config)
	if err != nil {
		return err
	}
	own.client = manager.GetClient()
	for _, object := range []client.Object{&WebApp{}, &corev1.ConfigMap{}} {
		if err := own.count(ctx, manager.GetCache(), object); err != nil {
			return err
		}
	}
	err = ctrl.NewControllerManagedBy(manager).For(&WebApp{}).Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 10}).Complete(own)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		own.listen()
		stop()
	}()
	return manager.Start(ctx)
}

func newReplicaManager(config *rest.Config) (ctrl.Manager, error) {
	selector, err := labels.Parse("part-of=webapp")
	if err != nil {
		return nil, err
	}
	return ctrl.NewManager(config, ctrl.Options{
		Scheme:                        workScheme(),
		Metrics:                       server.Options{BindAddress: "0"},
		HealthProbeBindAddress:        "0",
		LeaderElection:                true,
		LeaderElectionID:              "replicas",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
		Cache:                         cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {Label: selector}}},
	})
}

func (r *replica) count(ctx context.Context, objects cache.Cache, object client.Object) error {
	informer, err := objects.GetInformer(ctx, object, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	registration, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { r.cached.Add(1) },
		DeleteFunc: func(any) { r.cached.Add(-1) },
	})
	if err != nil {
		return err
	}
	r.synced = append(r.synced, registration.HasSynced)
	return nil
}

// Reconcile gives a WebApp a ConfigMap with its host and a status with the observed generation.
func (r *replica) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	r.reconciles.Add(1)
	var app WebApp
	if err := r.client.Get(ctx, request.NamespacedName, &app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.child(ctx, &app); err != nil {
		return ctrl.Result{}, err
	}
	if app.Status.ObservedGeneration == app.Generation {
		return ctrl.Result{}, nil
	}
	app.Status = WebAppStatus{ObservedGeneration: app.Generation}
	return ctrl.Result{}, r.client.Status().Update(ctx, &app)
}

func (r *replica) child(ctx context.Context, app *WebApp) error {
	var child corev1.ConfigMap
	err := r.client.Get(ctx, client.ObjectKeyFromObject(app), &child)
	if errors.IsNotFound(err) {
		child = corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: app.Namespace, Name: app.Name, Labels: map[string]string{"part-of": "webapp"}},
			Data: map[string]string{"host": app.Spec.Host},
		}
		if err := controllerutil.SetControllerReference(app, &child, r.client.Scheme()); err != nil {
			return err
		}
		return r.client.Create(ctx, &child)
	}
	if err != nil || child.Data["host"] == app.Spec.Host {
		return err
	}
	child.Data = map[string]string{"host": app.Spec.Host}
	return r.client.Update(ctx, &child)
}

type counter struct {
	next    http.RoundTripper
	replica *replica
}

func (c *counter) RoundTrip(request *http.Request) (*http.Response, error) {
	c.replica.requests.Add(1)
	response, err := c.next.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusConflict {
		c.replica.conflicts.Add(1)
	}
	return response, err
}

func (r *replica) listen() {
	for commands := bufio.NewScanner(os.Stdin); commands.Scan(); {
		fmt.Println(r.report(commands.Text() == "heap"))
	}
}

func (r *replica) report(withHeap bool) string {
	synced := true
	for _, has := range r.synced {
		synced = synced && has()
	}
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	var live float64
	if withHeap {
		live = float64(heap()) / (1 << 20)
	}
	return fmt.Sprintf("REPORT synced=%t cached=%d reconciles=%d requests=%d conflicts=%d processor=%.2f readMB=%.1f heapMB=%.1f",
		synced, r.cached.Load(), r.reconciles.Load(), r.requests.Load(), r.conflicts.Load(),
		float64(usage.Utime.Nano()+usage.Stime.Nano())/1e9, readBytes()/(1<<20), live)
}

func readBytes() float64 {
	text, _ := os.ReadFile("/proc/self/io")
	for _, line := range strings.Split(string(text), "\n") {
		if value, found := strings.CutPrefix(line, "rchar: "); found {
			bytes, _ := strconv.ParseFloat(value, 64)
			return bytes
		}
	}
	return 0
}
