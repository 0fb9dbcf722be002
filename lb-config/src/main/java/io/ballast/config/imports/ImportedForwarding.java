package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the policy of each forwarding header of a listener, for the keys {@code forwarding} and {@code forwarding_headers}.
 * A header without a policy is passed on unchanged, as HAProxy and nginx do. Thread safety: confined to one thread.
 */
public final class ImportedForwarding {

    /** The forwarding headers. */
    public enum Header {
        /** The address of the client, followed by the addresses of proxies. */
        FOR("x-forwarded-for"),
        /** The scheme of the client: {@code http} or {@code https}. */
        PROTO("x-forwarded-proto"),
        /** The host that the client requested. */
        HOST("x-forwarded-host"),
        /** The port on which the client connected. */
        PORT("x-forwarded-port"),
        /** The standard header that combines client address, scheme, host and port (RFC 7239). */
        FORWARDED("forwarded");

        private final String label;

        Header(String label) {
            this.label = label;
        }

        /** Returns the header with this name, ignoring case; empty if it is not a forwarding header. */
        public static Optional<Header> named(String name) {
            String label = name.toLowerCase(Locale.ROOT);
            return List.of(values()).stream()
                    .filter(header -> header.label.equals(label))
                    .findFirst();
        }
    }

    /** The ways to treat a header, in order of increasing distrust of the client. */
    public enum Policy {
        /** The header is passed on as the client sent it. */
        PASS,
        /** The balancer's own value is appended to the value that the client sent. */
        APPEND,
        /** The header is removed if the client sent it. */
        REMOVE,
        /** The header is replaced by the balancer's own value. */
        REPLACE
    }

    private static final String OVERWRITE = "overwrite";
    private static final String OFF = "off";

    private final Map<Header, Policy> policies;

    /** Creates the default policies, which pass on every header unchanged. */
    public ImportedForwarding() {
        this(new EnumMap<>(Header.class));
    }

    private ImportedForwarding(Map<Header, Policy> policies) {
        this.policies = policies;
    }

    /** Returns an independent copy. */
    public ImportedForwarding copy() {
        return new ImportedForwarding(new EnumMap<>(policies));
    }

    /** Returns the policy of a header. */
    public Policy policy(Header header) {
        return policies.getOrDefault(header, Policy.PASS);
    }

    /** Sets the policy of a header, and replaces an earlier one. */
    public void put(Header header, Policy policy) {
        policies.put(header, policy);
    }

    /** For each header, adopts the policy of {@code other} if that policy trusts clients less. */
    public void restrict(ImportedForwarding other) {
        other.policies.forEach(
                (header, policy) -> policies.merge(header, policy, (one, two) -> one.compareTo(two) < 0 ? two : one));
    }

    /** Writes the policies to the options of a listener. */
    void writeTo(Options listener) {
        Map<String, Object> words = new LinkedHashMap<>();
        List<Object> sent = new ArrayList<>();
        for (Header header : Header.values()) {
            Policy policy = policy(header);
            words.put(header.label, word(policy));
            if (policy == Policy.APPEND || policy == Policy.REPLACE) {
                sent.add(header.label);
            }
        }
        boolean isUniform = words.values().stream().distinct().count() == 1;
        Object first = words.values().iterator().next();
        words.values().removeIf(OVERWRITE::equals); // "overwrite" is the default for unlisted headers
        listener.put("forwarding", isUniform ? first : words);
        if (!isUniform || !first.equals(OFF)) {
            listener.put("forwarding_headers", sent);
        }
    }

    private static String word(Policy policy) {
        return switch (policy) {
            case PASS -> OFF;
            case APPEND -> "append";
            case REMOVE, REPLACE -> OVERWRITE;
        };
    }
}
