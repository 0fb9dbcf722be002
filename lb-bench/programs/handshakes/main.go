// Opens TLS 1.3 connections, each for one request, in several sequential workers; prints their number and rate.
//
// Usage: handshakes PORT WORKERS SECONDS full|resumed
package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"
)

const timeout = 10 * time.Second

var request = []byte("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")

// The result of one worker.
type tally struct {
	micros                                []int64
	bytes                                 int64
	connect, handshake, read, status, not int
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: handshakes PORT WORKERS SECONDS full|resumed")
		os.Exit(2)
	}
	// The client's garbage collection would take CPU from the balancer.
	debug.SetGCPercent(800)
	address := "127.0.0.1:" + os.Args[1]
	workers, seconds, resumes := number(os.Args[2]), number(os.Args[3]), os.Args[4] == "resumed"
	tallies := make([]tally, workers)
	begin := time.Now()
	end := begin.Add(time.Duration(seconds) * time.Second)
	var all sync.WaitGroup
	for i := range tallies {
		all.Add(1)
		go func() {
			defer all.Done()
			tallies[i].work(address, resumes, end)
		}()
	}
	all.Wait()
	report(tallies, time.Since(begin))
}

func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return n
}

func (t *tally) work(address string, resumes bool, end time.Time) {
	config := &tls.Config{
		// The certificate is created for the run; its signature is verified nevertheless.
		InsecureSkipVerify: true,
		ServerName:         "localhost",
		MinVersion:         tls.VersionTLS13,
		// Every server supports it, but only some support the newer hybrid groups.
		CurvePreferences: []tls.CurveID{tls.X25519},
	}
	if resumes {
		config.ClientSessionCache = tls.NewLRUClientSessionCache(1)
		// The first connection of a worker cannot resume a session; it is not counted.
		first := tally{}
		first.connection(address, config, nil)
	}
	buffer := make([]byte, 4096)
	for time.Now().Before(end) {
		begin := time.Now()
		resumed, good := t.connection(address, config, buffer)
		if !good {
			continue
		}
		if resumed != resumes {
			t.not++
		}
		t.micros = append(t.micros, time.Since(begin).Microseconds())
	}
}

// connection returns whether the session was resumed and whether a response arrived.
func (t *tally) connection(address string, config *tls.Config, buffer []byte) (bool, bool) {
	plain, err := net.DialTimeout("tcp", address, timeout)
	if err != nil {
		t.connect++
		return false, false
	}
	plain.SetDeadline(time.Now().Add(timeout))
	connection := tls.Client(plain, config)
	defer connection.Close()
	if err := connection.Handshake(); err != nil {
		t.handshake++
		return false, false
	}
	if _, err := connection.Write(request); err != nil {
		t.read++
		return false, false
	}
	if buffer == nil {
		buffer = make([]byte, 4096)
	}
	filled := 0
	for {
		n, err := connection.Read(buffer[filled:])
		filled += n
		if err == io.EOF {
			break
		}
		if err != nil || filled == len(buffer) {
			t.read++
			return false, false
		}
	}
	t.bytes += int64(filled)
	if !bytes.HasPrefix(buffer[:filled], []byte("HTTP/1.1 200")) {
		t.status++
		return false, false
	}
	return connection.ConnectionState().DidResume, true
}

// The same format as harness/report.lua.
func report(tallies []tally, took time.Duration) {
	sum := tally{}
	for _, t := range tallies {
		sum.micros = append(sum.micros, t.micros...)
		sum.bytes += t.bytes
		sum.connect += t.connect
		sum.handshake += t.handshake
		sum.read += t.read
		sum.status += t.status
		sum.not += t.not
	}
	slices.Sort(sum.micros)
	fmt.Printf(`{"requests": %d, "microseconds": %d, "bytes": %d, "errors": {"connect": %d, "handshake": %d, `+
		`"read": %d, "status": %d, "resumption": %d}, "p50": %d, "p99": %d, "p99_9": %d, "max": %d}`+"\n",
		len(sum.micros), took.Microseconds(), sum.bytes, sum.connect, sum.handshake, sum.read, sum.status, sum.not,
		percentile(sum.micros, 0.5), percentile(sum.micros, 0.99), percentile(sum.micros, 0.999), percentile(sum.micros, 1))
}

func percentile(sorted []int64, share float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*share))]
}
