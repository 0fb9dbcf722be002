package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.config.forward.DnsValidationConfig.Mode;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.SignedTree;
import io.ballast.dns.testing.SignedTree.Case;
import io.ballast.dns.testing.SignedTree.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;

/** Compares validation results for a tree of zones with the expected ones and, if installed, with Unbound. */
class ValidationVerdictsTest {

    private static final Map<Case, Verdict> OURS = new LinkedHashMap<>();

    private static SignedTree tree;

    @TempDir
    private static Path directory;

    /** Validates all cases once, because some cases have proofs that take much CPU time. */
    @BeforeAll
    static void askAll() throws Exception {
        tree = new SignedTree(Instant.now());
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwarderFixture fixture = new ForwarderFixture(validating(), resolver)) {
            resolver.answers(tree::answer);
            for (Case each : SignedTree.cases()) {
                OURS.put(each, verdict(fixture.query(query(each))));
            }
        }
    }

    @Test
    void queriesGetExpectedResult() {
        List<String> wrong = new ArrayList<>();
        OURS.forEach((each, found) -> {
            if (found != each.verdict()) {
                wrong.add(each + ": " + found + " (expected: " + each.verdict() + ")");
            }
        });
        assertThat(OURS).hasSizeGreaterThan(200);
        assertThat(wrong).isEmpty();
    }

    @Test
    void unboundAgrees() throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1")) {
            resolver.answers(tree::answer);
            Path anchors = Files.writeString(directory.resolve("anchors"), tree.anchor() + "\n");
            try (Unbound unbound = Unbound.start(directory, resolver.port(), anchors)) {
                List<String> different = new ArrayList<>();
                List<String> all = new ArrayList<>();
                for (Case each : SignedTree.cases()) {
                    Verdict expected = verdict(unbound.query(query(each)));
                    Verdict actual = OURS.get(each);
                    all.add(each + " " + actual + " " + expected);
                    if (actual != expected) {
                        different.add(each + ": " + actual + ", unbound: " + expected);
                    }
                }
                String file = System.getProperty("ballast.verdicts");
                if (file != null) {
                    Files.write(Path.of(file), all); // input for lb-bench/validation
                }
                assertThat(different).isEmpty();
            }
        }
    }

    private static UnaryOperator<DnsForwardConfig> validating() throws IOException {
        Path anchors = Files.writeString(directory.resolve("root"), tree.anchor() + "\n");
        return config -> config.toBuilder()
                .dnssec(new DnsValidationConfig(Mode.VALIDATE, Optional.of(anchors), List.of()))
                .build();
    }

    private static Message query(Case each) {
        return Messages.query(each.name(), each.type(), new OPTRecord(1232, 0, 0, ExtendedFlags.DO));
    }

    private static Verdict verdict(Message answer) {
        if (answer.getRcode() == Rcode.SERVFAIL) {
            return Verdict.BOGUS;
        }
        return Messages.has(answer, Flags.AD) ? Verdict.SECURE : Verdict.INSECURE;
    }
}
