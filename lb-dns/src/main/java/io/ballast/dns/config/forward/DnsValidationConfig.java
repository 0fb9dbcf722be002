package io.ballast.dns.config.forward;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * DNSSEC validation of upstream answers.
 *
 * @param trustAnchors a file with trusted DS or DNSKEY records; absent for those of the root
 * @param insecure names that, with all names below them, need no signatures, in lower case without a final dot
 */
public record DnsValidationConfig(Mode mode, Optional<Path> trustAnchors, List<String> insecure) {

    /** The treatment of signatures. */
    public enum Mode {
        /** Signatures are forwarded without validation. */
        OFF,
        /** Answers must be validated, unless they are proven to be insecure. */
        VALIDATE
    }

    /** Nothing is checked. */
    public static final DnsValidationConfig OFF = of(Mode.OFF);

    public DnsValidationConfig {
        insecure = List.copyOf(insecure);
    }

    /** With the root's trust anchors. */
    public static DnsValidationConfig of(Mode mode) {
        return new DnsValidationConfig(mode, Optional.empty(), List.of());
    }

    /** Returns a copy with additional insecure names. */
    public DnsValidationConfig withInsecure(List<String> names) {
        List<String> all = new ArrayList<>(insecure);
        all.addAll(names);
        return new DnsValidationConfig(mode, trustAnchors, all);
    }
}
