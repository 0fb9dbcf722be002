package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A configuration in long form, under construction. Thread safety: confined to one thread. */
public final class ImportedConfig {

    private final List<ImportedListener> listeners = new ArrayList<>();
    private final Map<String, Options> pools = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> policies = new LinkedHashMap<>();
    private final Options options = new Options();

    /** The listeners, in the order in which they were added. */
    public List<ImportedListener> listeners() {
        return listeners;
    }

    /** Returns a name for the next listener; appends a number if the name is in use. */
    public String unusedName(String name) {
        String unused = name;
        for (int number = listeners.size(); isTaken(unused); number++) {
            unused = name + "-" + number;
        }
        return unused;
    }

    private boolean isTaken(String name) {
        return listeners.stream().anyMatch(listener -> listener.hasName(name));
    }

    /** The pools by name, in the order in which they were added. */
    public Map<String, Options> pools() {
        return pools;
    }

    /** Returns the global settings, which belong to no listener or pool. */
    public Options options() {
        return options;
    }

    /** Returns the pool with this name; creates it if it does not exist. */
    public Options pool(String name) {
        return pools.computeIfAbsent(name, absent -> new Options());
    }

    /**
     * Returns the name of the policy with these settings, whose keys include the policy's kind. If there is none, adds
     * such a policy under the name {@code name}, followed by a number if that name is in use.
     */
    public String policy(String name, Map<String, Object> settings) {
        for (Map.Entry<String, Map<String, Object>> policy : policies.entrySet()) {
            if (policy.getValue().equals(settings)) {
                return policy.getKey();
            }
        }
        String unused = name;
        for (int number = 2; policies.containsKey(unused); number++) {
            unused = name + "-" + number;
        }
        policies.put(unused, settings);
        return unused;
    }

    /**
     * Returns the name of a policy that refuses all requests. It replaces an authentication without an equivalent, so
     * that the import does not make a protected resource public.
     */
    public String closedPolicy() {
        return policy("closed", Map.of("ip", Map.of("deny", "all")));
    }

    /**
     * Returns the configuration as YAML that our own reader accepts. Settings that the reader rejects are omitted
     * and reported; routes that had to be reordered are also reported.
     *
     * @throws ImportException if the reader rejects something that cannot be omitted safely, such as a route
     */
    public String toYaml(ImportReport report) throws ImportException {
        return new AcceptedText(root(report), pools.keySet(), report).toYaml();
    }

    private Map<String, Object> root(ImportReport report) {
        Map<String, Object> root = new LinkedHashMap<>();
        List<Object> written = new ArrayList<>();
        listeners.forEach(listener -> written.add(listener.toMap(report)));
        if (!written.isEmpty()) {
            root.put("listeners", written);
        }
        Map<String, Object> writtenPools = new LinkedHashMap<>();
        pools.forEach((name, pool) -> writtenPools.put(name, pool.map()));
        if (!writtenPools.isEmpty()) {
            root.put("pools", writtenPools);
        }
        if (!policies.isEmpty()) {
            root.put("policies", policies);
        }
        root.putAll(options.map());
        return root;
    }
}
