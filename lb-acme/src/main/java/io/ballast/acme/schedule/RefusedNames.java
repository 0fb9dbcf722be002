package io.ballast.acme.schedule;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names that get no certificate for some time. It holds at most {@value #MAX_NAMES} names; the oldest name is dropped
 * first. Thread safety: any thread.
 */
final class RefusedNames {

    static final int MAX_NAMES = 10_000;

    private final Map<String, Instant> until = new LinkedHashMap<>() {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
            return size() > MAX_NAMES;
        }
    };

    synchronized void add(String name, Instant end) {
        until.remove(name); // makes this name the newest one
        until.put(name, end);
    }

    synchronized void remove(String name) {
        until.remove(name);
    }

    synchronized boolean contains(String name, Instant now) {
        Instant end = until.get(name);
        if (end == null || now.isBefore(end)) {
            return end != null;
        }
        until.remove(name);
        return false;
    }
}
