package io.ballast.replication;

import io.ballast.dashboard.source.HttpCaches;
import io.ballast.dns.DnsFrontend;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;

/** The caches of HTTP responses and DNS answers of this process. Thread-safe. */
public final class LocalCaches implements FlushTargets {

    private final HttpCaches http;
    private final Supplier<Optional<DnsFrontend>> dns;

    public LocalCaches(HttpCaches http, Supplier<Optional<DnsFrontend>> dns) {
        this.http = http;
        this.dns = dns;
    }

    @Override
    public int flush(CacheFlush flush) {
        return switch (flush.kind()) {
            case HTTP -> http.purge(flush.selection(), flush.who()).removed();
            case DNS ->
                dns.get()
                        .orElseThrow(() -> new NoSuchElementException("the DNS frontend is not configured"))
                        .forwarding()
                        .flush(
                                flush.parameter("name"),
                                flush.parameter("below")
                                        .map(Boolean::parseBoolean)
                                        .orElse(false),
                                flush.parameter("type"));
        };
    }
}
