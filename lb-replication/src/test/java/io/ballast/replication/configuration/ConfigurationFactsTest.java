package io.ballast.replication.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ballast.cluster.fact.Fact;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedVersion;
import io.ballast.replication.configuration.ActiveFact.Claim;
import io.ballast.replication.configuration.ActiveFact.Step;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests how facts are encoded, how content is split into facts, and which facts are removed. */
class ConfigurationFactsTest {

    private static final ConfigurationBundle BUNDLE =
            ConfigurationBundle.of("site.yaml", Map.of("site.yaml", "grace: 5s".getBytes(StandardCharsets.UTF_8)));

    private static VersionFact version(long number, String data, int chunks, VersionFact.Outcome outcome) {
        return new VersionFact(
                new SharedVersion(number, BUNDLE.sha256()),
                data,
                chunks,
                /* files= */ 1,
                /* bytes= */ 9,
                "ann",
                "n1",
                Instant.parse("2026-01-02T03:04:05Z"),
                "a note",
                /* rollbackOf= */ 0,
                outcome,
                /* reason= */ "");
    }

    @Test
    void factsAreReadAsTheyWereWritten() {
        VersionFact version =
                version(7, "ab", 3, VersionFact.Outcome.OPEN).with(VersionFact.Outcome.REJECTED, "n2: wrong");
        assertThat(VersionFact.decode(version.encode())).contains(version);
        Claim claim = new Claim(8, Step.CHECKING, "n1", "token", "ann", Instant.EPOCH);
        ActiveFact active = new ActiveFact(7, Optional.of(claim));
        assertThat(ActiveFact.decode(active.encode())).contains(active);
        assertThat(ActiveFact.decode(new ActiveFact(7, Optional.empty()).encode()))
                .contains(new ActiveFact(7, Optional.empty()));
    }

    @Test
    void aLineBreakInATextCannotAddAField() {
        VersionFact version = version(7, "ab", 3, VersionFact.Outcome.OPEN)
                .with(VersionFact.Outcome.REJECTED, "wrong\nsha256 forged\rx");

        assertThat(VersionFact.decode(version.encode()).orElseThrow().reason()).isEqualTo("wrong sha256 forged x");
        assertThat(VersionFact.decode(version.encode()).orElseThrow().version()).isEqualTo(version.version());
    }

    @Test
    void factsOfUnknownFormAreIgnored() {
        assertThat(VersionFact.decode("")).isEmpty();
        assertThat(VersionFact.decode("number 7\nsha256 short")).isEmpty();
        assertThat(VersionFact.decode(
                        version(7, "ab", 3, VersionFact.Outcome.OPEN).encode().replace("chunks 3", "chunks 1000000")))
                .isEmpty();
        assertThat(ActiveFact.decode("active x")).isEmpty();
        assertThat(ActiveFact.decode("active 1\nproposed 2\nstep other")).isEmpty();
        assertThat(ActiveFact.decode("a 1\n".repeat(1000))).isEmpty();
    }

    @Test
    void contentIsDividedIntoPartsThatFitInFacts() {
        byte[] random = new byte[100_000];
        new Random(1).nextBytes(random);
        ConfigurationBundle large = ConfigurationBundle.of("a", Map.of("a", random));
        byte[] compressed = large.compress();
        List<String> parts = DataFacts.split(compressed);
        assertThat(parts).hasSize(5).allMatch(part -> part.length() <= Fact.MAX_VALUE_BYTES);
        Map<String, String> facts = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            facts.put(DataFacts.key("ab", i), parts.get(i));
        }
        VersionFact version = new VersionFact(
                new SharedVersion(1, large.sha256()),
                "ab",
                5,
                1,
                random.length,
                "ann",
                "n1",
                Instant.EPOCH,
                "",
                0,
                VersionFact.Outcome.OPEN,
                "");

        assertThat(DataFacts.read(version, key -> Optional.ofNullable(facts.get(key)))
                        .sha256())
                .isEqualTo(large.sha256());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataFacts.read(
                        version(1, "ab", 5, VersionFact.Outcome.OPEN), key -> Optional.ofNullable(facts.get(key))))
                .withMessageContaining("does not match the hash");
        facts.remove(DataFacts.key("ab", 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataFacts.read(version, key -> Optional.ofNullable(facts.get(key))))
                .withMessageContaining("a part of the content of version 1 is missing");
        assertThat(DataFacts.MAX_CHUNKS * 24_000).isGreaterThan(ConfigurationBundle.MAX_COMPRESSED_BYTES);
    }

    private static List<Fact> facts(int versions, int partBytes) {
        List<Fact> facts = new ArrayList<>();
        for (int i = 1; i <= versions; i++) {
            String value =
                    version(i, "data" + i, 1, VersionFact.Outcome.ACCEPTED).encode();
            facts.add(new Fact(DataFacts.key("data" + i, 0), "x".repeat(partBytes), 2L * i));
            facts.add(new Fact(VersionFact.key(i), value, 2L * i + 1));
        }
        return facts;
    }

    private static List<String> removed(List<Fact> facts, long active, long newBytes, String newData) {
        return Retention.removable(facts, active, /* newVersions= */ 1, newBytes, newData).stream()
                .map(Fact::key)
                .toList();
    }

    @Test
    void theOldestVersionsAreRemovedWithTheirContentButNeverTheActiveOne() {
        assertThat(removed(facts(19, 10), 19, 10, "new")).isEmpty();
        assertThat(removed(facts(21, 10), 1, 10, "new"))
                .containsExactly("config/version/2", "config/version/3", "config/data/data2/0", "config/data/data3/0");
    }

    @Test
    void largeVersionsAreRemovedEarlier() {
        assertThat(removed(facts(5, 5_000_000), 5, 5_000_000, "new"))
                .containsExactly("config/version/1", "config/version/2", "config/data/data1/0", "config/data/data2/0");
    }

    @Test
    void contentThatNoVersionNeedsIsRemoved() {
        List<Fact> facts = new ArrayList<>(facts(2, 10));
        facts.add(new Fact(DataFacts.key("abandoned", 0), "x", 100));
        facts.add(new Fact(DataFacts.key("new", 0), "x", 101));

        assertThat(removed(facts, 2, 10, "new")).containsExactly("config/data/abandoned/0");
    }
}
