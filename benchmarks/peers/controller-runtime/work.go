package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// What the text of spec.host starts with if it contains the time of its write in microseconds.
const writtenAt = "at-"

// work is what a peer has to do and reports to the driver; the protocol is that of the class Work of the Java peers.
type work struct {
	kind      string
	count     int64
	runs      atomic.Int64
	converged sync.Map
	distinct  atomic.Int64
	seen      sync.Map
	lock      sync.Mutex
	latencies []int64
}

func (w *work) workers() int {
	if w.kind == "drain" {
		return 1
	}
	return 10
}

// controllers says how many controllers reconcile the objects.
func controllers() int64 {
	number, err := strconv.ParseInt(os.Getenv("CONTROLLERS"), 10, 64)
	if err != nil {
		return 1
	}
	return number
}

// reconciled takes note of a reconciliation and says whether there is to be another one after a millisecond.
func (w *work) reconciled(key string, host string) bool {
	switch w.kind {
	case "start":
		w.markAt(w.runs.Add(1), 1, "done")
	case "first":
		w.markAt(w.runs.Add(1), w.count*controllers(), "done")
	case "drain", "drain10":
		run := w.runs.Add(1)
		w.markAt(run, 1, "first")
		w.markAt(run, w.count, "done")
	case "reconcile", "apply", "write":
		run := w.runs.Add(1)
		w.markAt(run, w.count, "first")
		w.markAt(run, 2*w.count, "done")
		return run < 2*w.count
	case "events":
		run := w.runs.Add(1)
		w.takeLatency(key, host, run > w.count)
		w.markAt(run, w.count, "first")
	case "converge":
		if _, known := w.converged.LoadOrStore(key, true); !known && w.distinct.Add(1) == w.count {
			w.mark("done")
		}
	}
	return false
}

// The first reconciliation of each object is about a write of an earlier run.
func (w *work) takeLatency(key string, host string, isCounted bool) {
	if !strings.HasPrefix(host, writtenAt) {
		return
	}
	if before, _ := w.seen.Swap(key, host); before == host || !isCounted {
		return
	}
	written, _ := strconv.ParseInt(host[len(writtenAt):], 10, 64)
	latency := time.Now().UnixMicro() - written
	w.lock.Lock()
	defer w.lock.Unlock()
	w.latencies = append(w.latencies, latency)
}

func (w *work) markAt(run int64, wanted int64, name string) {
	if run == wanted {
		w.mark(name)
	}
}

func (w *work) mark(name string) {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	fmt.Println("MARK", name, usage.Utime.Nano()+usage.Stime.Nano(), allocated())
}

// listen answers the driver and ends the process with the input.
func (w *work) listen() {
	for commands := bufio.NewScanner(os.Stdin); commands.Scan(); {
		switch commands.Text() {
		case "heap":
			fmt.Println("HEAP", heap())
		case "allocated":
			fmt.Println("ALLOCATED", allocated())
		case "latencies":
			fmt.Println("LATENCIES", w.percentiles())
		}
	}
	os.Exit(0)
}

// isApplied says whether each reconciliation applies a ConfigMap with the text of version.
func (w *work) isApplied() bool {
	return w.kind == "apply" || w.kind == "write"
}

// version is the text that the ConfigMap of an object is to contain now.
func (w *work) version() string {
	if w.kind == "write" {
		return strconv.FormatInt(w.runs.Load(), 10)
	}
	return "1"
}

// allocated is how many bytes were allocated so far.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// heap is what lives after garbage collection.
func heap() uint64 {
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// percentiles says how many there are, their median and 99th percentile in microseconds.
func (w *work) percentiles() string {
	w.lock.Lock()
	defer w.lock.Unlock()
	size := len(w.latencies)
	if size == 0 {
		return "0 0 0"
	}
	slices.Sort(w.latencies)
	return fmt.Sprint(size, " ", w.latencies[size/2], " ", w.latencies[int(float64(size)*0.99)])
}
