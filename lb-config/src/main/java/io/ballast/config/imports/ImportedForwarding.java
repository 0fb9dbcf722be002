package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What becomes of the headers that tell a backend about the client, as {@code forwarding} and {@code forwarding_headers} of a
 * listener say it. A header that nothing is said about is passed on as the client sent it, as HAProxy and nginx do. Thread
 * safety: confined to one thread.
 */
public final class ImportedForwarding {

    /** A header of this kind. */
    public enum Header {
        /** Addresses: the client's, then those of proxies. */
        FOR("x-forwarded-for"),
        /** What the client speaks: {@code http} or {@code https}. */
        PROTO("x-forwarded-proto"),
        /** What the client asked for. */
        HOST("x-forwarded-host"),
        /** On which the client came in. */
        PORT("x-forwarded-port"),
        /** All of it (RFC 7239). */
        FORWARDED("forwarded");

        private final String label;

        Header(String label) {
            this.label = label;
        }

        /** Returns the header of this name, in any case; nothing for any other header. */
        public static Optional<Header> named(String name) {
            String label = name.toLowerCase(Locale.ROOT);
            return List.of(values()).stream()
                    .filter(header -> header.label.equals(label))
                    .findFirst();
        }
    }

    /** What becomes of a header; the later ones believe less of what the client sent. */
    public enum Policy {
        /** Passed on as the client sent it. */
        PASS,
        /** Ours is appended to what the client sent. */
        APPEND,
        /** What the client sent is removed. */
        REMOVE,
        /** What the client sent is replaced by ours. */
        REPLACE
    }

    private static final String OVERWRITE = "overwrite";
    private static final String OFF = "off";

    private final Map<Header, Policy> policies;

    /** One in which every header is passed on. */
    public ImportedForwarding() {
        this(new EnumMap<>(Header.class));
    }

    private ImportedForwarding(Map<Header, Policy> policies) {
        this.policies = policies;
    }

    /** Returns a copy that may be changed by itself. */
    public ImportedForwarding copy() {
        return new ImportedForwarding(new EnumMap<>(policies));
    }

    /** Returns what becomes of a header. */
    public Policy of(Header header) {
        return policies.getOrDefault(header, Policy.PASS);
    }

    /** Says what becomes of a header, whatever was said before. */
    public void put(Header header, Policy policy) {
        policies.put(header, policy);
    }

    /** Takes over what another one says, where that believes less of what the client sent. */
    public void restrict(ImportedForwarding other) {
        other.policies.forEach(
                (header, policy) -> policies.merge(header, policy, (one, two) -> one.compareTo(two) < 0 ? two : one));
    }

    /** Writes it to the options of a listener. */
    void writeTo(Options listener) {
        Map<String, Object> words = new LinkedHashMap<>();
        List<Object> sent = new ArrayList<>();
        for (Header header : Header.values()) {
            Policy policy = of(header);
            words.put(header.label, word(policy));
            if (policy == Policy.APPEND || policy == Policy.REPLACE) {
                sent.add(header.label);
            }
        }
        boolean isUniform = words.values().stream().distinct().count() == 1;
        Object first = words.values().iterator().next();
        words.values().removeIf(OVERWRITE::equals); // the default of a header that is not named
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
