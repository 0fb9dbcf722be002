package io.ballast.policy.cache.rule;

import io.ballast.http.head.HttpTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The metadata, lifetime and validity of a response that arrives at a fixed time. */
final class TestResponse {

    static final long NOW = Instant.parse("2026-11-29T12:00:00Z").toEpochMilli();
    private final List<HeaderLines.Line> lines = new ArrayList<>();
    private final int status;
    private CacheDefaults defaults = CacheDefaults.NONE;
    private boolean allowsImplicit = true;

    private TestResponse(int status) {
        this.status = status;
    }

    static TestResponse of(int status) {
        return new TestResponse(status);
    }

    /** Creates a response with status 200 and one directive line. */
    static TestResponse cacheControl(String value) {
        return of(200).with("Cache-Control", value);
    }

    TestResponse with(String name, String value) {
        lines.add(new HeaderLines.Line(name, value));
        return this;
    }

    /** Adds a date, in seconds from the arrival of the response. */
    TestResponse withDate(String name, int seconds) {
        return with(name, HttpTime.format(NOW + 1000L * seconds));
    }

    TestResponse defaults(CacheDefaults times) {
        defaults = times;
        return this;
    }

    TestResponse toCookie() {
        allowsImplicit = false;
        return this;
    }

    ResponseMetadata metadata() {
        return ResponseMetadata.of(status, new HeaderLines(lines), NOW, NOW);
    }

    FreshnessLifetime lifetime() {
        return FreshnessLifetime.of(metadata(), defaults, allowsImplicit);
    }

    Validity validity() {
        return Validity.of(metadata(), lifetime(), defaults);
    }

    boolean isStorable() {
        return Storability.isStorable(metadata(), lifetime(), validity());
    }
}
