package io.ballast.policy.oidc.provider;

import io.ballast.core.ErrorText;
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.jwt.key.KeyDownload;
import io.ballast.policy.jwt.key.KeySource;
import io.ballast.policy.jwt.key.RemoteKeys;
import io.ballast.policy.oidc.provider.ProviderClient.ProviderAnswer;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import io.ballast.policy.work.SharedDownloads;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The discovery document and the keys of an OpenID provider (OpenID Connect Discovery 1.0 section 4). Downloads the
 * document at the start and every 10 min. After a failed download, the next one follows after 1 s, then after twice the
 * time, up to 1 min. The last document stays in use while the provider is unreachable.
 *
 * <p>Thread safety: all methods may be called concurrently; they do not block.
 */
public final class Provider implements AutoCloseable {

    static final Duration REFRESH = Duration.ofMinutes(10);
    static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    static final Duration MAX_RETRY = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Provider.class);

    private final OidcClient client;
    private final ProviderClient http;
    private final ProviderReport report;
    private final LongSupplier nanoTime;
    private final SharedDownloads downloads;
    private Duration nextRetry = FIRST_RETRY;
    private volatile boolean closed;
    private volatile @Nullable ScheduledFuture<?> next;
    private volatile @Nullable Known current;
    /** The download in progress, or the last one. */
    private volatile CompletableFuture<Void> attempt = CompletableFuture.completedFuture(null);

    /** The last valid discovery document, and the keys that it names. */
    public record Known(ProviderMetadata metadata, KeySource keys) {}

    Provider(
            OidcClient client,
            ProviderClient http,
            ProviderReport report,
            SharedDownloads downloads,
            LongSupplier nanoTime) {
        this.client = client;
        this.http = http;
        this.report = report;
        this.downloads = downloads;
        this.nanoTime = nanoTime;
    }

    /** Starts the first download. */
    void start() {
        download();
    }

    /** The document and keys; null until the first download succeeds. */
    public @Nullable Known current() {
        return current;
    }

    /** Completes when the download in progress has ended, even if it fails; done if none is in progress. */
    public CompletableFuture<Void> attempt() {
        return attempt;
    }

    private void download() {
        if (closed) {
            return;
        }
        String issuer = client.issuer();
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        CompletableFuture<Void> started = new CompletableFuture<>();
        attempt = started;
        http.get(URI.create(base + "/.well-known/openid-configuration")).whenComplete((answer, failure) -> {
            try {
                schedule(failure == null ? receive(answer) : failed(failure));
            } finally {
                started.complete(null);
            }
        });
    }

    /** Replaces the document; returns the time until the next download. */
    private Duration receive(ProviderAnswer answer) {
        if (!answer.isOk()) {
            String hint = answer.status() / 100 == 3 ? ", a redirect, which is not followed" : "";
            return failed(new ProviderException(
                    Kind.UNREACHABLE, "the server answered with status " + answer.status() + hint));
        }
        ProviderMetadata metadata;
        try {
            metadata = ProviderMetadata.parse(answer.body(), client);
        } catch (RuntimeException invalid) {
            return failed(new ProviderException(Kind.UNREACHABLE, ErrorText.of(invalid)));
        }
        report.answered();
        if (use(metadata)) {
            LOG.info("issuer={} msg=\"received the discovery document of the OpenID provider\"", client.issuer());
        }
        return REFRESH;
    }

    /** Returns whether the document is the first one. */
    private synchronized boolean use(ProviderMetadata metadata) {
        nextRetry = FIRST_RETRY;
        Known before = current;
        if (closed) {
            return false;
        }
        if (before != null && before.metadata().keys().equals(metadata.keys())) {
            current = new Known(metadata, before.keys());
            return false;
        }
        current = new Known(metadata, keys(metadata.keys()));
        if (before != null) {
            before.keys().close();
        }
        return before == null;
    }

    private KeySource keys(URI url) {
        return new RemoteKeys(
                url.toString(), new KeyDownload(url, downloads.client(client.ca())), downloads.timer(), nanoTime);
    }

    private synchronized Duration failed(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        ProviderException reason = cause instanceof ProviderException known
                ? known
                : new ProviderException(Kind.UNREACHABLE, ErrorText.reason(failure));
        report.failed("cannot download the discovery document of the OpenID provider", reason);
        Duration retry = nextRetry;
        Duration doubled = retry.multipliedBy(2);
        nextRetry = doubled.compareTo(MAX_RETRY) < 0 ? doubled : MAX_RETRY;
        return retry;
    }

    private void schedule(Duration delay) {
        try {
            next = downloads.timer().schedule(this::download, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("issuer={} msg=\"no further download, because the process stops\"", client.issuer());
        }
        if (closed) {
            cancelNext();
        }
    }

    private void cancelNext() {
        ScheduledFuture<?> scheduled = next;
        if (scheduled != null) {
            scheduled.cancel(/* mayInterruptIfRunning= */ false);
        }
    }

    /** Stops downloads. The last document and keys can still be used. */
    @Override
    public synchronized void close() {
        closed = true;
        cancelNext();
        Known last = current;
        if (last != null) {
            last.keys().close();
        }
    }
}
