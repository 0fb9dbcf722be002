package io.ballast.config.keys.forward;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.config.forward.DnsValidationConfig.Mode;
import java.nio.file.Path;
import java.util.List;

/** The keys of {@code dns.forward.dnssec}, which is a mapping or the mode alone. */
final class DnsValidationKeys {

    private static final ShapeBuilder<DnsValidationConfig> KEYS = Shape.named(
            "dns_validation",
            "Whether the DNSSEC signatures in answers from resolvers are validated. The mode can be given alone"
                    + " to use the defaults.");

    private static final Key<Mode> MODE = KEYS.optional(
            "mode",
            EnumWords.of(Mode.class),
            Mode.VALIDATE,
            "validate: answers must be signed unless the zone is proven to be insecure; off:"
                    + " answers are not validated",
            DnsValidationConfig::mode);
    private static final Key<Path> TRUST_ANCHORS = KEYS.optional(
            "trust_anchors",
            FileType.ofContent(),
            "file with trust anchors: DS or DNSKEY records in zone file format; default: those of the root zone",
            DnsValidationConfig::trustAnchors);
    private static final Key<List<String>> INSECURE = KEYS.optional(
            "insecure",
            ListType.of(DnsTexts.ABSOLUTE).unique("name", name -> name),
            List.of(),
            "names at and below which no signature is required (negative trust anchors)",
            DnsValidationConfig::insecure);

    /** The DNSSEC validation, written as a mapping or as the mode alone. */
    static final Type<DnsValidationConfig> DNSSEC = new BriefType<>(
            EnumWords.of(Mode.class).map(DnsValidationConfig::of, DnsValidationConfig::mode),
            KEYS.build(DnsValidationKeys::build),
            config -> config.equals(DnsValidationConfig.of(config.mode())));

    private DnsValidationKeys() {}

    private static DnsValidationConfig build(Values values) {
        return new DnsValidationConfig(values.get(MODE), values.find(TRUST_ANCHORS), values.get(INSECURE));
    }
}
