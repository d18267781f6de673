package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// ticks per second of /proc, the same on every Linux that Go runs on
const clockTicks = 100

// cost is what a process has used since it was started.
type cost struct {
	seconds   float64 // since the process was started
	processor float64 // seconds of processor time
	peakMB    int64   // largest resident memory
}

func costNow() cost {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	processor := float64(usage.Utime.Nano()+usage.Stime.Nano()) / float64(time.Second)
	return cost{sinceStart(), processor, peakMB()}
}

// heapMB is the live heap in MB, after collecting garbage.
func heapMB() float64 {
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc) / (1 << 20)
}

func sinceStart() float64 {
	stat, _ := os.ReadFile("/proc/self/stat")
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	started, _ := strconv.ParseFloat(fields[19], 64)
	uptime, _ := os.ReadFile("/proc/uptime")
	up, _ := strconv.ParseFloat(strings.Fields(string(uptime))[0], 64)
	return up - started/clockTicks
}

func peakMB() int64 {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "VmHWM:") {
			kilobytes, _ := strconv.ParseInt(strings.Fields(lines.Text())[1], 10, 64)
			return kilobytes / 1024
		}
	}
	return 0
}

// counting counts the requests of a client.
type counting struct {
	next http.RoundTripper
	sent *atomic.Int64
}

func (c counting) RoundTrip(request *http.Request) (*http.Response, error) {
	c.sent.Add(1)
	return c.next.RoundTrip(request)
}

// report prints the result of a work in the form that benchmarks/whole-process reads.
func report(work string, variant string, values ...any) {
	line := "RESULT work=" + work + " peer=controller-runtime variant=" + variant
	for i := 0; i+1 < len(values); i += 2 {
		line += fmt.Sprintf(" %v=%v", values[i], values[i+1])
	}
	fmt.Println(line)
}
