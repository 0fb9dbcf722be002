package io.ballast.discovery;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The accepted backends of one source. An answer that removes more than half of the backends at once may be
 * an error of the source. New backends of such an answer are added immediately. Backends that it omits are
 * kept until the source has given such answers for the whole hold time.
 *
 * <pre>
 * accepted   a b c d ------------------------------- d e
 * answers               d     d e            d e
 * in use     a b c d -- abcd  abcde ----------------- d e
 *                       |&lt;-------- hold --------&gt;|
 * </pre>
 *
 * <p>Thread safety: confined to the control plane.
 */
final class FlapGuard {

    private final Duration hold;

    /** The last answer from the source that was accepted; null before the first accepted answer. */
    private @Nullable List<DiscoveredBackend> acceptedBackends;

    /** The newest answer while it is pending, which means that it is not accepted yet; otherwise null. */
    private @Nullable List<DiscoveredBackend> pendingBackends;

    /** Time at which the pending answer will be accepted; null if there is none. */
    private @Nullable Instant pendingUntil;

    /** @param known the backends from the previous run of the process; absent if there are none */
    FlapGuard(Duration hold, Optional<List<DiscoveredBackend>> known) {
        this.hold = hold;
        this.acceptedBackends = known.orElse(null);
    }

    /** Accepts a new answer from the source; keeps it pending if it removes more than half of the backends. */
    void processAnswer(List<DiscoveredBackend> next, Instant now) {
        List<DiscoveredBackend> before = acceptedBackends;
        if (before == null || !removesMajority(before, next)) {
            acceptBackends(next);
            return;
        }
        Instant until = holdEnd(now);
        if (now.isBefore(until)) {
            pendingBackends = next;
            pendingUntil = until;
        } else {
            acceptBackends(next);
        }
    }

    private void acceptBackends(List<DiscoveredBackend> next) {
        acceptedBackends = next;
        pendingBackends = null;
        pendingUntil = null;
    }

    private static boolean removesMajority(List<DiscoveredBackend> before, List<DiscoveredBackend> next) {
        Set<HostPort> present = next.stream().map(DiscoveredBackend::address).collect(Collectors.toSet());
        long left = before.stream()
                .filter(each -> !present.contains(each.address()))
                .count();
        return 2 * left > before.size();
    }

    /** Returns the end of the hold time. It is at most {@code hold} from now, even if the clock was set back. */
    private Instant holdEnd(Instant now) {
        Instant max = now.plus(hold);
        return pendingUntil == null || pendingUntil.isAfter(max) ? max : pendingUntil;
    }

    /** Accepts the pending answer from the source if the hold time is over. */
    void acceptAfterHold(Instant now) {
        if (pendingUntil != null) {
            pendingUntil = holdEnd(now);
        }
        if (pendingBackends != null && pendingUntil != null && !now.isBefore(pendingUntil)) {
            acceptBackends(pendingBackends);
        }
    }

    /** Returns when {@link #acceptAfterHold} should be called next; absent if no answer is pending. */
    Optional<Instant> pendingUntil() {
        return Optional.ofNullable(pendingUntil);
    }

    /** Returns the backends in use; absent before the first answer. */
    Optional<List<DiscoveredBackend>> backendsInUse() {
        List<DiscoveredBackend> before = acceptedBackends;
        List<DiscoveredBackend> answer = pendingBackends;
        if (before == null || answer == null) {
            return Optional.ofNullable(before);
        }
        Map<HostPort, DiscoveredBackend> all = new LinkedHashMap<>();
        before.forEach(each -> all.put(each.address(), each));
        answer.forEach(each -> all.put(each.address(), each));
        return Optional.of(new ArrayList<>(all.values()));
    }
}
