package io.ballast.http.policy;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The policies of a route, in the order of their evaluation. Immutable. */
public final class PolicyChain {

    private final NamedPolicy[] steps;
    private final boolean observesEnd;

    private final byte[] route;

    private PolicyChain(List<NamedPolicy> inOrder, String route) {
        this.route = route.getBytes(StandardCharsets.UTF_8);
        this.steps = inOrder.toArray(NamedPolicy[]::new);
        this.observesEnd = inOrder.stream().anyMatch(step -> step.policy().observesEnd());
    }

    /**
     * Returns a chain of the given policies, ordered by phase, then by their given order. A policy that is given twice is
     * evaluated once.
     *
     * @param route a text that identifies the route, and stays the same over reloads
     * @return null for no policies, so that a route without policies costs one comparison
     */
    public static @Nullable PolicyChain of(List<NamedPolicy> policies, String route) {
        Map<String, NamedPolicy> byName = new LinkedHashMap<>();
        policies.forEach(policy -> byName.putIfAbsent(policy.name(), policy));
        if (byName.isEmpty()) {
            return null;
        }
        List<NamedPolicy> inOrder = new ArrayList<>(byName.values());
        inOrder.sort(Comparator.comparing(policy -> policy.policy().phase()));
        return new PolicyChain(inOrder, route);
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
        List<String> names = new ArrayList<>(step.policy().requestHeaders());
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

    byte[] route() {
        return route;
    }

    int length() {
        return steps.length;
    }

    NamedPolicy step(int index) {
        return steps[index];
    }

    /** Whether a policy only changes responses, so that it is also evaluated for requests that a policy answers. */
    boolean isInResponsePhase(int index) {
        return steps[index].policy().phase() == Phase.RESPONSE;
    }

    boolean observesEnd() {
        return observesEnd;
    }

    /** The policies in the order of their evaluation. */
    public List<NamedPolicy> steps() {
        return List.of(steps);
    }
}
