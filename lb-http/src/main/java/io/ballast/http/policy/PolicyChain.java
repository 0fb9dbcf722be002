package io.ballast.http.policy;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.http.head.ByteClasses;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The policies of a route, in the order of their evaluation. Immutable. */
public final class PolicyChain {

    private final NamedPolicy[] steps;
    private final byte[] @Nullable [][] sharedHeaders;
    private final boolean observesEnd;
    private final boolean authenticates;
    private final byte[] route;
    private final @Nullable Pool[] targets;
    private final int generation;
    /** The names of the request headers that the policies may set, in lower case with hyphens. */
    private final byte[][] settableHeaders;
    /** See {@link #computedHeaders()}. */
    private final Set<String> computedHeaders;

    private PolicyChain(
            List<NamedPolicy> inOrder, String route, @Nullable Topology topology, Set<String> computedHeaders) {
        this.targets = new @Nullable Pool[inOrder.size()];
        this.generation = topology == null ? 0 : topology.generation();
        for (int step = 0; step < targets.length && topology != null; step++) {
            String target = inOrder.get(step).policy().targetPool();
            targets[step] = target == null ? null : topology.pool(target);
        }
        this.route = route.getBytes(StandardCharsets.UTF_8);
        this.steps = inOrder.toArray(NamedPolicy[]::new);
        this.sharedHeaders = new byte[steps.length][][];
        Arrays.setAll(sharedHeaders, step -> shared(inOrder, step));
        Set<String> computed = new HashSet<>(computedHeaders);
        inOrder.forEach(step -> step.policy().requestHeaders().forEach(name -> computed.add(hyphenated(name))));
        this.computedHeaders = Set.copyOf(computed);
        this.settableHeaders = inOrder.stream()
                .flatMap(step -> step.policy().requestHeaders().stream())
                .map(name -> ByteClasses.ascii(hyphenated(name)))
                .toArray(byte[][]::new);
        this.observesEnd = inOrder.stream().anyMatch(step -> step.policy().observesEnd());
        this.authenticates =
                inOrder.stream().anyMatch(step -> step.policy().phase() == Phase.IDENTITY && !step.dryRun());
    }

    /** Returns a chain of policies without {@linkplain Policy#targetPool target pools}. */
    public static @Nullable PolicyChain of(List<NamedPolicy> policies, String route) {
        return of(policies, route, /* topology= */ null, /* computedHeaders= */ Set.of());
    }

    /**
     * Returns a chain of the given policies, ordered by phase, then by their given order. A policy that is given twice
     * is evaluated once. If a kind {@linkplain Policy#replacesSameKind replaces} earlier policies of the same kind,
     * only its last policy remains.
     *
     * @param route a text that identifies the route, and stays the same over reloads
     * @param topology has the target pools of the policies; null if there are none
     * @param computedHeaders the names of the request headers that header rules compute, in lower case with hyphens
     * @return null for no policies, so that a route without policies costs one comparison
     */
    public static @Nullable PolicyChain of(
            List<NamedPolicy> policies, String route, @Nullable Topology topology, Set<String> computedHeaders) {
        Map<String, NamedPolicy> byName = new LinkedHashMap<>();
        policies.forEach(policy -> byName.putIfAbsent(policy.name(), policy));
        if (byName.isEmpty()) {
            return null;
        }
        List<NamedPolicy> inOrder = withoutReplaced(List.copyOf(byName.values()));
        inOrder.sort(Comparator.comparing(policy -> policy.policy().phase()));
        return new PolicyChain(inOrder, route, topology, computedHeaders);
    }

    /**
     * Policies with {@code dry_run} do not replace other policies and are not replaced, because they have no effect.
     */
    private static List<NamedPolicy> withoutReplaced(List<NamedPolicy> policies) {
        Map<String, NamedPolicy> last = new HashMap<>();
        policies.stream()
                .filter(policy -> !policy.dryRun() && policy.policy().replacesSameKind())
                .forEach(policy -> last.put(policy.kind(), policy));
        List<NamedPolicy> remaining = new ArrayList<>();
        for (NamedPolicy policy : policies) {
            NamedPolicy replacement = policy.dryRun() ? null : last.get(policy.kind());
            if (replacement == null || replacement.name().equals(policy.name())) {
                remaining.add(policy);
            }
        }
        return remaining;
    }

    /** Returns the names of the response headers of a policy that an earlier policy may set too; null for none. */
    private static byte @Nullable [][] shared(List<NamedPolicy> inOrder, int step) {
        Set<String> earlier = new HashSet<>();
        inOrder.subList(0, step).stream()
                .filter(policy -> !policy.dryRun())
                .forEach(policy -> policy.policy().responseHeaders().forEach(name -> earlier.add(lower(name))));
        byte[][] names = inOrder.get(step).policy().responseHeaders().stream()
                .map(PolicyChain::lower)
                .filter(earlier::contains)
                .map(ByteClasses::ascii)
                .toArray(byte[][]::new);
        return names.length == 0 ? null : names;
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static String hyphenated(String name) {
        return lower(name).replace('_', '-');
    }

    /**
     * The changes that remove all headers that the policies may set from requests and responses, and credentials from
     * requests. A policy with {@code dry_run} removes only the request headers that clients could forge.
     */
    public HeaderRules removedHeaders() {
        return new HeaderRules(
                removal(PolicyChain::removedFromRequests),
                removal(step -> step.dryRun() ? List.of() : step.policy().responseHeaders()));
    }

    private static List<String> removedFromRequests(NamedPolicy step) {
        boolean removes = !step.dryRun() || step.policy().removesHeadersInDryRun();
        List<String> names = new ArrayList<>(removes ? step.policy().requestHeaders() : List.of());
        if (!step.dryRun()) {
            names.addAll(step.policy().credentialHeaders());
        }
        return names;
    }

    private HeaderChanges removal(Function<NamedPolicy, List<String>> names) {
        List<String> all = Arrays.stream(steps)
                .flatMap(step -> names.apply(step).stream())
                .distinct()
                .toList();
        return new HeaderChanges(List.of(), List.of(), all);
    }

    /** Whether a policy of the chain may set the request header with the name in {@code bytes[from, to)}. */
    boolean setsHeader(byte[] bytes, int from, int to) {
        for (byte[] name : settableHeaders) {
            if (ByteClasses.equalsIgnoreUnderscores(bytes, from, to, name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The names, in lower case with hyphens, of the request headers whose values depend on more than the header lines
     * of the client: the headers that are set by policies, or by header rules with variables.
     */
    Set<String> computedHeaders() {
        return computedHeaders;
    }

    byte[] route() {
        return route;
    }

    /** The target pool of a policy; null for none. */
    @Nullable Pool target(int index) {
        return targets[index];
    }

    /** The generation of the topology that has the target pools. */
    int generation() {
        return generation;
    }

    int length() {
        return steps.length;
    }

    NamedPolicy step(int index) {
        return steps[index];
    }

    /**
     * The names, in lower case, of the response headers that both this policy and an earlier policy may set; null for
     * none. The lines of this policy replace the lines of the earlier policy.
     */
    byte @Nullable [][] sharedHeaders(int index) {
        return sharedHeaders[index];
    }

    /** Whether a policy only changes responses, so that it is also evaluated for requests that a policy answers. */
    boolean isInResponsePhase(int index) {
        return steps[index].policy().phase() == Phase.RESPONSE;
    }

    /** Whether a policy authenticates the clients. */
    boolean authenticates() {
        return authenticates;
    }

    /** Whether a later policy is a filter, which may change the request. */
    boolean hasFilterAfter(int index) {
        for (int later = index + 1; later < steps.length; later++) {
            if (steps[later].policy().phase() == Phase.FILTER) {
                return true;
            }
        }
        return false;
    }

    boolean observesEnd() {
        return observesEnd;
    }

    /** The policies in the order of their evaluation. */
    public List<NamedPolicy> steps() {
        return List.of(steps);
    }
}
