package io.ballast.discovery.dns;

import io.ballast.core.ErrorText;
import io.ballast.discovery.names.NameLookup;
import io.ballast.discovery.names.RecordLookup;
import io.ballast.discovery.names.RecordLookup.Service;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The addresses of SRV targets, each resolved at most once per round. An address comes from the answer with
 * the SRV records, from a lookup, or from the previous round. After {@value #MAX_FAILURES} failed lookups, no
 * further lookups are made in this round. Confined to one thread.
 */
final class TargetAddresses {

    private static final int MAX_FAILURES = 3;

    /** Retry delay of targets that could not be resolved. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(10);

    private final RecordLookup lookup;
    private final Map<String, List<InetAddress>> previousAddresses;
    private final Map<String, List<InetAddress>> addresses = new HashMap<>();
    private Duration ttl = RequeryDelay.MAX;
    private String reason = "";
    private int failures;

    /** @param before the addresses known after the previous round */
    TargetAddresses(RecordLookup lookup, Map<String, List<InetAddress>> before) {
        this.lookup = lookup;
        this.previousAddresses = before;
    }

    /** Returns the addresses of a service's target; empty if no lookup has succeeded so far. */
    List<InetAddress> of(Service service) {
        return addresses.computeIfAbsent(
                service.target(), target -> service.addresses().isEmpty() ? lookUp(target) : service.addresses());
    }

    private List<InetAddress> lookUp(String target) {
        if (failures < MAX_FAILURES) {
            try {
                NameLookup.Answer answer = lookup.findAll(target);
                limitTtl(answer.ttl());
                return answer.addresses();
            } catch (UnknownHostException e) {
                failures++;
                reason = ": " + ErrorText.of(e);
            }
        }
        limitTtl(RETRY_DELAY);
        return previousAddresses.getOrDefault(target, List.of());
    }

    private void limitTtl(Duration time) {
        ttl = time.compareTo(ttl) < 0 ? time : ttl;
    }

    /** Returns the addresses of all targets after the lookups of this round. */
    Map<String, List<InetAddress>> knownAddresses() {
        return Map.copyOf(addresses);
    }

    /**
     * Returns the TTL of the whole result: the lowest TTL of the addresses and the TTL of the SRV records ({@code
     * services}).
     */
    Duration ttl(Duration services) {
        return services.compareTo(ttl) < 0 ? services : ttl;
    }

    /** Returns the reason why a lookup failed, preceded by a colon; empty if no lookup failed. */
    String reason() {
        return reason;
    }
}
