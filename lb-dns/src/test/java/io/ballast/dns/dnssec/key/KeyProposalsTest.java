package io.ballast.dns.dnssec.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.zone.DnssecConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyProposalsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path dataDir;

    private KeyDirectory directory;
    private KeyProposals proposals;
    private KeyBundle before;

    @BeforeEach
    void prepare() throws Exception {
        directory = new KeyDirectory(dataDir, "example.com");
        proposals = new KeyProposals(directory);
        SharedKeyFiles files = new SharedKeyFiles(directory);
        files.install(files.generate(KeyAlgorithm.ECDSAP256SHA256, NOW), NOW);
        before = files.read(NOW);
    }

    private CompletableFuture<Void> proposeLater() {
        return CompletableFuture.runAsync(() -> {
            try {
                proposals.propose(copy -> new Rollover(copy, DnssecConfig.DEFAULT, CLOCK).start(), CLOCK, LONG);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private KeyProposal take(Instant now) throws Exception {
        Optional<KeyProposal> taken = proposals.take(now);
        while (taken.isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            taken = proposals.take(now);
        }
        return taken.get();
    }

    @Test
    void aCommandWaitsForTheResultAndChangesNoFile() throws Exception {
        CompletableFuture<Void> command = proposeLater();
        KeyProposal proposal = take(NOW);

        assertThat(proposal.base()).isEqualTo(before.hash());
        assertThat(proposal.keys().files()).hasSize(4).containsAllEntriesOf(before.files());
        assertThat(command).isNotDone();
        assertThat(new SharedKeyFiles(directory).has(before)).isTrue();
        proposals.answer(proposal, KeyProposals.COMMITTED);
        assertThat(command.get(1, TimeUnit.MINUTES)).isNull();
    }

    @Test
    void aRefusedChangeIsAnError() throws Exception {
        CompletableFuture<Void> command = proposeLater();

        proposals.answer(take(NOW), "no majority");

        assertThatThrownBy(() -> command.get(1, TimeUnit.MINUTES)).hasMessageContaining("no majority");
    }

    @Test
    void withoutProcessNothingIsProposed() throws Exception {
        assertThatThrownBy(() -> proposals.propose(
                        copy -> new Rollover(copy, DnssecConfig.DEFAULT, CLOCK).start(), CLOCK, Duration.ofMillis(1)))
                .hasMessageContaining("no running process");

        assertThat(proposals.take(NOW)).isEmpty();
    }

    @Test
    void anOldProposalIsIgnored() throws Exception {
        Files.writeString(
                directory.path().resolve(".proposal"), new KeyProposal("id", NOW, before.hash(), before).text());

        assertThat(proposals.take(NOW.plus(KeyProposals.MAX_AGE).plusMillis(1))).isEmpty();
        assertThat(proposals.take(NOW)).isEmpty();
    }

    @Test
    void aMalformedProposalIsReportedOnce() throws Exception {
        Files.writeString(directory.path().resolve(".proposal"), "x");

        assertThatThrownBy(() -> proposals.take(NOW)).hasMessageContaining("malformed first line");
        assertThat(proposals.take(NOW)).isEmpty();
    }

    @Test
    void theOldestRemovedKeysAreOmitted() throws Exception {
        for (int i = 0; i < KeyProposals.MAX_KEYS + 2; i++) {
            directory.create(
                    KeyAlgorithm.ECDSAP256SHA256,
                    KeyTimes.activeFrom(NOW.minusSeconds(1000 - i)).removed(NOW.minusSeconds(500)));
        }
        CompletableFuture<Void> command = proposeLater();

        KeyProposal proposal = take(NOW);

        assertThat(proposal.keys().files()).hasSize(2 * KeyProposals.MAX_KEYS);
        proposals.answer(proposal, KeyProposals.COMMITTED);
        command.get(1, TimeUnit.MINUTES);
    }
}
