package main

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// cacheWork caches all objects of one kind and says what it cost until they were there.
// Arguments: CUSTOM, CONFIG_MAP or POD, then full or stripped (managedFields dropped).
func cacheWork(ctx context.Context, arguments []string) error {
	if len(arguments) != 2 {
		return fmt.Errorf("usage: cache CUSTOM|CONFIG_MAP|POD full|stripped")
	}
	var requests atomic.Int64
	config, err := connect(&requests)
	if err != nil {
		return err
	}
	options := cache.Options{Scheme: workScheme()}
	if arguments[1] == "stripped" {
		options.DefaultTransform = cache.TransformStripManagedFields()
	}
	objects, err := cache.New(config, options)
	if err != nil {
		return err
	}
	object, list := kindOf(arguments[0])
	if _, err := objects.GetInformer(ctx, object, cache.BlockUntilSynced(false)); err != nil {
		return err
	}
	ended, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { _ = objects.Start(ended) }()
	if !objects.WaitForCacheSync(ended) {
		return fmt.Errorf("the cache has not synced")
	}
	used := costNow()
	sent := requests.Load()
	if err := objects.List(ctx, list, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	count := size(list)
	list = nil
	heap := heapMB()
	report("cache", arguments[0]+"/"+arguments[1], "objects", count, "seconds", fmt.Sprintf("%.2f", used.seconds),
		"processor", fmt.Sprintf("%.2f", used.processor), "peakMB", used.peakMB, "heapMB", fmt.Sprintf("%.1f", heap),
		"requests", sent)
	runtime.KeepAlive(objects)
	return nil
}

// connect reads KUBECONFIG; no limit of requests, as in the Java works.
func connect(requests *atomic.Int64) (*rest.Config, error) {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counting{next, requests} })
	return config, nil
}

func kindOf(name string) (client.Object, client.ObjectList) {
	switch name {
	case "CONFIG_MAP":
		return &corev1.ConfigMap{}, &corev1.ConfigMapList{}
	case "POD":
		return &corev1.Pod{}, &corev1.PodList{}
	}
	return &WebApp{}, &WebAppList{}
}

func size(list client.ObjectList) int {
	switch known := list.(type) {
	case *corev1.ConfigMapList:
		return len(known.Items)
	case *corev1.PodList:
		return len(known.Items)
	case *WebAppList:
		return len(known.Items)
	}
	return -1
}

func workScheme() *apiruntime.Scheme {
	scheme := apiruntime.NewScheme()
	_ = clientgoscheme.AddToScheme(scheme)
	version := schema.GroupVersion{Group: "apps.example.io", Version: "v1"}
	scheme.AddKnownTypes(version, &WebApp{}, &WebAppList{})
	metav1.AddToGroupVersion(scheme, version)
	return scheme
}
