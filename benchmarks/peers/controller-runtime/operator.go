package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strconv"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// operate does a work against the API server of KUBECONFIG. Arguments: how many, then CUSTOM or CONFIG_MAP. With the environment
// variable STRIPPED the cache drops managedFields.
func operate(ctx context.Context, kind string, arguments []string) error {
	if len(arguments) != 2 {
		return fmt.Errorf("usage: %s COUNT CUSTOM|CONFIG_MAP", kind)
	}
	count, err := strconv.ParseInt(arguments[0], 10, 64)
	if err != nil {
		return err
	}
	work := &work{kind: kind, count: count}
	go work.listen()
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1 // no limit, as the Java peers have none
	ctrl.SetLogger(logr.Discard())
	options := ctrl.Options{Scheme: workScheme(), Metrics: server.Options{BindAddress: "0"}, HealthProbeBindAddress: "0"}
	if os.Getenv("STRIPPED") != "" {
		options.Cache = cache.Options{DefaultTransform: cache.TransformStripManagedFields()}
	}
	manager, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	if kind == "cache" {
		return cacheAll(ctx, work, manager, arguments[1])
	}
	for number := int64(1); number <= controllers(); number++ {
		builder := ctrl.NewControllerManagedBy(manager).Named(fmt.Sprint("webapp-", number)).For(&WebApp{}).
			WithOptions(controller.Options{MaxConcurrentReconciles: work.workers()})
		if kind == "converge" || work.isApplied() {
			builder = builder.Owns(&corev1.ConfigMap{})
		}
		if err := builder.Complete(&reconciler{client: manager.GetClient(), work: work}); err != nil {
			return err
		}
	}
	return manager.Start(ctx)
}

func cacheAll(ctx context.Context, work *work, manager ctrl.Manager, objects string) error {
	var object client.Object = &WebApp{}
	if objects == "CONFIG_MAP" {
		object = &corev1.ConfigMap{}
	}
	if _, err := manager.GetCache().GetInformer(ctx, object, cache.BlockUntilSynced(false)); err != nil {
		return err
	}
	go func() {
		if manager.GetCache().WaitForCacheSync(ctx) {
			work.mark("done")
		}
	}()
	return manager.Start(ctx)
}

type reconciler struct {
	client client.Client
	work   *work
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var app WebApp
	if err := r.client.Get(ctx, request.NamespacedName, &app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if r.work.kind == "converge" {
		if err := r.converge(ctx, &app); err != nil {
			return ctrl.Result{}, err
		}
	}
	if r.work.isApplied() {
		if err := r.apply(ctx, &app); err != nil {
			return ctrl.Result{}, err
		}
	}
	if r.work.reconciled(request.String(), app.Spec.Host) {
		return ctrl.Result{RequeueAfter: time.Millisecond}, nil
	}
	return ctrl.Result{}, nil
}

// converge gives a WebApp an owned ConfigMap and a status with the observed generation.
func (r *reconciler) converge(ctx context.Context, app *WebApp) error {
	var existing corev1.ConfigMap
	err := r.client.Get(ctx, client.ObjectKeyFromObject(app), &existing)
	if errors.IsNotFound(err) {
		owned := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: app.Namespace, Name: app.Name},
			Data: app.Spec.Files}
		if err := controllerutil.SetControllerReference(app, &owned, r.client.Scheme()); err != nil {
			return err
		}
		err = r.client.Create(ctx, &owned)
	}
	if err != nil {
		return err
	}
	if app.Status.ObservedGeneration == app.Generation {
		return nil
	}
	app.Status = WebAppStatus{ObservedGeneration: app.Generation}
	return r.client.Status().Update(ctx, app)
}

// apply gives a WebApp an owned ConfigMap with the text of the work.
func (r *reconciler) apply(ctx context.Context, app *WebApp) error {
	owned := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: app.Namespace, Name: app.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, &owned, func() error {
		owned.Data = maps.Clone(app.Spec.Files)
		owned.Data["version"] = r.work.version()
		return controllerutil.SetControllerReference(app, &owned, r.client.Scheme())
	})
	return err
}

func workScheme() *apiruntime.Scheme {
	scheme := apiruntime.NewScheme()
	_ = clientgoscheme.AddToScheme(scheme)
	version := schema.GroupVersion{Group: "apps.example.io", Version: "v1"}
	scheme.AddKnownTypes(version, &WebApp{}, &WebAppList{})
	metav1.AddToGroupVersion(scheme, version)
	return scheme
}
