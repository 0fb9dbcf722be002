package io.ballast.dns.config.forward;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * DNSSEC validation of upstream answers.
 *
 * @param trustAnchors a file with trusted DS or DNSKEY records; absent for the trust anchors of the root
 * @param insecure names that need no signatures, each with all names below it; in lower case without a final
 *     dot
 */
public record DnsValidationConfig(Mode mode, Optional<Path> trustAnchors, List<String> insecure) {

    /** Whether upstream answers are validated. */
    public enum Mode {
        /** Signatures are forwarded without validation. */
        OFF,
        /** Answers must be validated, unless they are proven to be insecure. */
        VALIDATE
    }

    /** Settings without validation. */
    public static final DnsValidationConfig OFF = of(Mode.OFF);

    public DnsValidationConfig {
        insecure = List.copyOf(insecure);
    }

    /** Creates settings with the trust anchors of the root. */
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
