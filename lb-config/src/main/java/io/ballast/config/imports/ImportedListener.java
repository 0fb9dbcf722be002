package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A listener under construction. Thread safety: confined to one thread. */
public final class ImportedListener {

    private final String name;
    private final String bind;
    private final String protocol;
    private final Options options = new Options();
    private final ImportedForwarding forwarding = new ImportedForwarding();
    private final List<ImportedRoute> routes = new ArrayList<>();

    /** Creates a listener; {@code protocol} is {@code http}, {@code tcp} or {@code udp}. */
    public ImportedListener(String name, String bind, String protocol) {
        this.name = name;
        this.bind = bind;
        this.protocol = protocol;
    }

    /** Returns whether the listener has this name. */
    public boolean hasName(String other) {
        return name.equals(other);
    }

    /** The listen address. */
    public String bind() {
        return bind;
    }

    /** Returns whether the listener serves HTTP. */
    public boolean isHttp() {
        return protocol.equals("http");
    }

    /** Returns the settings of the listener, without its routes. */
    public Options options() {
        return options;
    }

    /** Returns the policies of the forwarding headers that the backends receive. */
    public ImportedForwarding forwarding() {
        return forwarding;
    }

    /** Returns the routes; a request must be served by the first route that matches it. */
    public List<ImportedRoute> routes() {
        return routes;
    }

    Map<String, Object> toMap(ImportReport report) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("name", name);
        written.put("bind", bind);
        if (!isHttp()) {
            written.put("protocol", protocol);
        }
        if (isHttp()) {
            forwarding.writeTo(options);
        }
        written.putAll(options.map());
        List<ImportedRoute> ordered = RouteOrder.of(routes, report);
        Object pool = ordered.size() == 1 ? ordered.get(0).action().get("pool") : null;
        if (pool != null
                && ordered.get(0).match().equals(ImportedConditions.ALL)
                && ordered.get(0).action().size() == 1) {
            written.put("pool", pool);
        } else {
            written.put("routes", routes(ordered));
        }
        return written;
    }

    /** Merges routes that differ only in their host into one route with a list of hosts. */
    private List<Object> routes(List<ImportedRoute> ordered) {
        String hostKey = isHttp() ? "host" : "sni";
        Map<Integer, Set<String>> hosts = new LinkedHashMap<>();
        Map<List<Object>, Integer> places = new HashMap<>();
        for (int i = 0; i < ordered.size(); i++) {
            ImportedRoute route = ordered.get(i);
            Integer first = places.get(keyWithoutHost(route));
            if (first == null || isTied(route, ordered.subList(first, i))) {
                places.put(keyWithoutHost(route), i);
                first = i;
            }
            hosts.computeIfAbsent(first, place -> new LinkedHashSet<>())
                    .add(route.match().host());
        }
        List<Object> written = new ArrayList<>();
        for (Map.Entry<Integer, Set<String>> entry : hosts.entrySet()) {
            ImportedRoute route = ordered.get(entry.getKey());
            Set<String> names = entry.getValue();
            Map<String, Object> match = route.match().toMap(hostKey);
            if (names.size() > 1) {
                match.put(hostKey, List.copyOf(names));
            }
            Map<String, Object> one = new LinkedHashMap<>();
            if (!match.isEmpty()) {
                one.put("match", match);
            }
            one.putAll(route.action());
            written.add(one);
        }
        return written;
    }

    /**
     * Returns whether an earlier route has the same host and specificity, so that only the file order decides.
     */
    private static boolean isTied(ImportedRoute route, List<ImportedRoute> before) {
        ImportedConditions match = route.match();
        return before.stream()
                .map(ImportedRoute::match)
                .anyMatch(other -> other.host().equals(match.host())
                        && !other.isTriedBefore(match)
                        && !match.isTriedBefore(other));
    }

    private static List<Object> keyWithoutHost(ImportedRoute route) {
        ImportedConditions match = route.match();
        return List.of(match.host().isEmpty(), match.path(), match.others(), route.action());
    }
}
