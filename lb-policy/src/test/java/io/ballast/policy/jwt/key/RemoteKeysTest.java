package io.ballast.policy.jwt.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.jwt.TestTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests when keys are downloaded and how long they are used, with a scripted server and clock. */
class RemoteKeysTest {

    private static final String OLD = new JWKSet(TestTokens.OLD_KEY).toString();
    private static final String NEW = new JWKSet(List.of(TestTokens.OLD_KEY, TestTokens.NEW_KEY)).toString();
    private static final String ONLY_NEW = new JWKSet(TestTokens.NEW_KEY).toString();

    private final ManualScheduler timer = new ManualScheduler();
    private final List<CompletableFuture<String>> downloads = new ArrayList<>();
    private final RemoteKeys keys = new RemoteKeys("https://id.example/keys", this::download, timer, timer::nanoTime);

    private CompletableFuture<String> download() {
        CompletableFuture<String> download = new CompletableFuture<>();
        downloads.add(download);
        return download;
    }

    private void answer(String text) {
        downloads.get(downloads.size() - 1).complete(text);
    }

    private void fail() {
        downloads.get(downloads.size() - 1).completeExceptionally(new IOException("connection refused"));
    }

    private boolean knows(String keyId) {
        KeySet current = keys.current();
        return current != null && !current.fitting(JwtAlgorithm.ES256, keyId).isEmpty();
    }

    @Test
    void requestsWaitForTheFirstDownload() {
        CompletableFuture<Void> first = keys.refresh().orElseThrow();
        assertThat(keys.current()).isNull();
        assertThat(first).isNotDone();
        answer(OLD);

        assertThat(first).isCompleted();
        assertThat(knows("old")).isTrue();
        assertThat(downloads).hasSize(1);
    }

    @Test
    void downloadsAgainAfterTenMinutes() {
        answer(OLD);
        timer.advance(RemoteKeys.REFRESH.minusNanos(1));
        assertThat(downloads).hasSize(1);
        timer.advance(Duration.ofNanos(1));
        assertThat(downloads).hasSize(2);
        answer(NEW);

        assertThat(knows("new")).isTrue();
        assertThat(timer.waiting()).containsExactly(RemoteKeys.REFRESH);
    }

    @Test
    void unknownKeyIsDownloadedAtMostEveryThirtySeconds() {
        answer(OLD);
        timer.advance(Duration.ofSeconds(29));
        assertThat(keys.refresh()).isEmpty();
        timer.advance(Duration.ofSeconds(1));
        CompletableFuture<Void> second = keys.refresh().orElseThrow();
        assertThat(keys.refresh()).hasValue(second);
        answer(NEW);

        assertThat(downloads).hasSize(2);
        assertThat(knows("new")).isTrue();
        assertThat(keys.refresh()).isEmpty();
        assertThat(timer.waiting()).containsExactly(RemoteKeys.REFRESH);
    }

    @Test
    void removedKeyIsRetiredAndKeptKeyStaysTheSame() {
        answer(NEW);
        VerificationKey kept = keys.current().fitting(JwtAlgorithm.ES256, "new").get(0);
        VerificationKey removed =
                keys.current().fitting(JwtAlgorithm.ES256, "old").get(0);
        timer.advance(RemoteKeys.REFRESH);
        answer(ONLY_NEW);

        assertThat(keys.current().fitting(JwtAlgorithm.ES256, "new")).containsExactly(kept);
        assertThat(kept.isRetired()).isFalse();
        assertThat(removed.isRetired()).isTrue();
        assertThat(knows("old")).isFalse();
    }

    @Test
    void lastKeysStayInUseForADayWhileTheServerIsUnreachable() {
        answer(OLD);
        timer.advance(RemoteKeys.REFRESH);
        fail();
        for (long passed = 600; passed < RemoteKeys.MAX_AGE.toSeconds() - 1; passed++) {
            timer.advance(Duration.ofSeconds(1));
            if (!downloads.get(downloads.size() - 1).isDone()) {
                fail();
            }
        }
        assertThat(knows("old")).isTrue();
        timer.advance(Duration.ofSeconds(1));
        assertThat(keys.current()).isNull();
        assertThat(downloads.size()).isBetween(280, 300);
        timer.advance(RemoteKeys.MAX_RETRY);
        answer(OLD);

        assertThat(knows("old")).isTrue();
    }

    @Test
    void failedDownloadsAreRepeatedWithGrowingPauses() {
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            fail();
            pauses.add(timer.waiting().get(0));
            timer.advance(timer.waiting().get(0));
        }

        assertThat(pauses).extracting(Duration::toSeconds).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 300L, 300L);
    }

    @Test
    void invalidSetIsAFailure() {
        answer(OLD);
        timer.advance(RemoteKeys.REFRESH);
        answer("{\"keys\":[]}");

        assertThat(knows("old")).isTrue();
        assertThat(timer.waiting()).containsExactly(RemoteKeys.FIRST_RETRY);
    }

    @Test
    void failedFirstDownloadReleasesWaitingRequests() {
        CompletableFuture<Void> first = keys.refresh().orElseThrow();
        fail();

        assertThat(first).isCompleted();
        assertThat(keys.current()).isNull();
        assertThat(keys.refresh()).isEmpty();
    }

    @Test
    void closeStopsDownloads() {
        answer(OLD);
        keys.close();
        timer.advance(RemoteKeys.REFRESH.multipliedBy(3));

        assertThat(downloads).hasSize(1);
        assertThat(keys.refresh()).isEmpty();
        assertThat(timer.waiting()).isEmpty();
    }

    @Test
    void closeDuringADownloadStopsFurtherOnes() {
        keys.close();
        answer(OLD);
        timer.advance(RemoteKeys.REFRESH.multipliedBy(3));

        assertThat(downloads).hasSize(1);
        assertThat(keys.current()).isNull();
    }
}
