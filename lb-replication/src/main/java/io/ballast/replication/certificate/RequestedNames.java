package io.ballast.replication.certificate;

import io.ballast.acme.coordination.CoordinatedOrders;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.core.control.ControlPlane;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Certificates on demand that a node requests from the node that orders. The request of a name is a fact; the node that
 * orders removes it when the order has ended. Confined to one thread.
 *
 * <p>Bounds: {@value #MAX_REQUESTS} requests, {@link #LIFE} for each.
 */
final class RequestedNames {

    static final String PREFIX = CertificateFacts.PREFIX + "wanted/";
    static final int MAX_REQUESTS = 200;

    /** A request ends after this time, for example because no node orders. */
    static final Duration LIFE = Duration.ofMinutes(1);

    private static final String NONE = "none";

    private final Map<String, Request> requests = new LinkedHashMap<>();
    private final Set<String> running = new HashSet<>();
    private final ControlPlane control;
    private final Executor thread;
    private final SealedFacts facts;
    private final BooleanSupplier mayOrder;
    private final Supplier<CoordinatedOrders> orders;

    private record Request(Optional<String> replaced, Instant until, long version) {}

    /**
     * @param thread the thread to which this object is confined
     * @param mayOrder whether this node orders now
     * @param orders returns the orders of this node
     */
    RequestedNames(
            ControlPlane control,
            Executor thread,
            SealedFacts facts,
            BooleanSupplier mayOrder,
            Supplier<CoordinatedOrders> orders) {
        this.control = control;
        this.thread = thread;
        this.facts = facts;
        this.mayOrder = mayOrder;
        this.orders = orders;
    }

    /** @param replaced the serial number of the certificate to renew, in hexadecimal form */
    void request(String name, Optional<String> replaced) {
        if (requests.containsKey(name)) {
            return; // another node has requested the certificate; both nodes wait for the same order
        }
        if (requests.size() >= MAX_REQUESTS) {
            orders.get().requestEnded(name);
            return;
        }
        String key = PREFIX + name;
        Instant until = control.clock().instant().plus(LIFE);
        String text = new FactDocument("")
                .with("until", until)
                .with("replaced", replaced.orElse(NONE))
                .encode();
        CompletableFuture<?> unused = facts.propose(key, facts.seal(key, text), Fact.ABSENT)
                .thenAcceptAsync(
                        result -> {
                            if (result == ProposalResult.FULL || result == ProposalResult.UNKNOWN) {
                                orders.get().requestEnded(name);
                            }
                        },
                        thread);
    }

    void receive(String key, Optional<Fact> fact) {
        String name = key.substring(PREFIX.length());
        @Nullable Request request = fact.flatMap(this::open).orElse(null);
        if (request == null) {
            requests.remove(name);
            orders.get().requestEnded(name);
        } else {
            requests.put(name, request);
            orderRequested();
        }
    }

    private Optional<Request> open(Fact fact) {
        try {
            return facts.open(fact).map(FactDocument::parse).map(document -> {
                String replaced = document.text("replaced");
                return new Request(
                        replaced.equals(NONE) ? Optional.empty() : Optional.of(replaced),
                        document.time("until"),
                        fact.version());
            });
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Orders the requested certificates, if this node orders. The leader removes requests that have ended. */
    void orderRequested() {
        Instant now = control.clock().instant();
        for (String name : List.copyOf(requests.keySet())) {
            Request request = requests.get(name);
            if (request == null || running.contains(name)) {
                continue;
            }
            if (!request.until().isAfter(now)) {
                if (facts.store().isLeader()) {
                    facts.remove(PREFIX + name, request.version());
                }
            } else if (mayOrder.getAsBoolean()) {
                running.add(name);
                CompletableFuture<?> unused = orders.get()
                        .orderOnDemand(name, request.replaced())
                        .whenCompleteAsync((result, failure) -> end(name, request), thread);
            }
        }
    }

    private void end(String name, Request request) {
        running.remove(name);
        facts.remove(PREFIX + name, request.version());
    }
}
