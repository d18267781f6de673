package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// convergeWork gives each WebApp an owned ConfigMap and a status with the observed generation, with 10 workers.
// Argument: how many there are.
func convergeWork(_ context.Context, arguments []string) error {
	if len(arguments) != 1 {
		return fmt.Errorf("usage: converge COUNT")
	}
	count, err := strconv.Atoi(arguments[0])
	if err != nil {
		return err
	}
	var requests, conflicts, writes atomic.Int64
	config, err := connect(&requests)
	if err != nil {
		return err
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return judging{next, &writes, &conflicts} })
	ctrl.SetLogger(logr.Discard())
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: workScheme(), Metrics: server.Options{BindAddress: "0"}, HealthProbeBindAddress: "0"})
	if err != nil {
		return err
	}
	worker := &converger{client: manager.GetClient(), left: count, converged: make(chan struct{})}
	if err := ctrl.NewControllerManagedBy(manager).For(&WebApp{}).Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 10}).Complete(worker); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		if err := manager.Start(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}()
	<-worker.converged
	seconds := sinceStart()
	for before := int64(-1); before != requests.Load(); {
		before = requests.Load()
		time.Sleep(2 * time.Second)
	}
	used := costNow()
	report("converge", "default", "objects", count, "seconds", fmt.Sprintf("%.2f", seconds),
		"processor", fmt.Sprintf("%.2f", used.processor), "peakMB", used.peakMB, "requests", requests.Load(),
		"writes", writes.Load(), "conflicts", conflicts.Load())
	return nil
}

type converger struct {
	client    client.Client
	done      sync.Map
	lock      sync.Mutex
	left      int
	converged chan struct{}
}

func (c *converger) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var app WebApp
	if err := c.client.Get(ctx, request.NamespacedName, &app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var existing corev1.ConfigMap
	err := c.client.Get(ctx, request.NamespacedName, &existing)
	if errors.IsNotFound(err) {
		owned := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: app.Namespace, Name: app.Name},
			Data: app.Spec.Files}
		if err := controllerutil.SetControllerReference(&app, &owned, c.client.Scheme()); err != nil {
			return ctrl.Result{}, err
		}
		err = c.client.Create(ctx, &owned)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if app.Status.ObservedGeneration != app.Generation {
		app.Status = WebAppStatus{ObservedGeneration: app.Generation}
		if err := c.client.Status().Update(ctx, &app); err != nil {
			return ctrl.Result{}, err
		}
	}
	c.count(request.NamespacedName)
	return ctrl.Result{}, nil
}

func (c *converger) count(key types.NamespacedName) {
	if _, known := c.done.LoadOrStore(key, true); known {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.left--; c.left == 0 {
		close(c.converged)
	}
}

// judging counts writes and conflicts.
type judging struct {
	next      http.RoundTripper
	writes    *atomic.Int64
	conflicts *atomic.Int64
}

func (j judging) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet {
		j.writes.Add(1)
	}
	response, err := j.next.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusConflict {
		j.conflicts.Add(1)
	}
	return response, err
}
