package io.ballast.config.keys.forward;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.Percents;
import io.ballast.core.Checks;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys of {@code dns.forward.filter.lists[]}. */
final class DnsRuleListKeys {

    private static final String EXPECTED_URL = "an http:// or https:// URL with a host";
    private static final int MAX_SIZE_BYTES = 1 << 30;

    private static final ShapeBuilder<RuleList> KEYS = Shape.named(
            "dns_list",
            "Filter rules from one source: ad blocker rules (`||name^`), hosts files, plain names, or RPZ.");

    private static final Key<String> NAME = KEYS.required(
            "name",
            Scalars.matching(
                    "list name",
                    "1 to 60 letters, digits, _ and -, but not operator",
                    "(?!operator$)[A-Za-z0-9_-]{1,60}"),
            "name of the list in logs, metrics and the API",
            RuleList::name);
    private static final Key<Kind> KIND = KEYS.optional(
            "kind",
            EnumWords.of(Kind.class),
            Kind.BLOCK,
            "block: each rule blocks or allows as written; allow: every rule allows",
            RuleList::kind);
    private static final Key<Boolean> ENABLED = KEYS.optional(
            "enabled",
            Scalars.BOOLEAN,
            /* fallback= */ true,
            "whether the rules of the list are used",
            RuleList::enabled);
    private static final Key<Path> FILE = KEYS.optional(
            "file", FileType.ofContent(), "file with the rules, plain or compressed with gzip", RuleList::file);
    private static final Key<URI> URL = KEYS.optional(
            "url",
            Scalars.TEXT.map(DnsRuleListKeys::url, URI::toString),
            "URL from which the rules are downloaded; the download is stored in data_dir",
            RuleList::url);
    private static final Key<List<String>> RULES = KEYS.optional(
            "rules",
            ListType.atLeastOne(Scalars.TEXT),
            "the rules themselves",
            list -> list.rules().isEmpty() ? Optional.empty() : Optional.of(list.rules()));
    private static final Key<Duration> REFRESH = KEYS.optional(
            "refresh",
            Durations.DURATION.map(DnsRuleListKeys::atLeastAMinute, time -> time),
            RuleList.DEFAULT_REFRESH,
            "how often the rules are downloaded, at least 1m; files are checked every ten seconds",
            RuleList::refresh);
    private static final Key<Integer> MAX_SIZE = KEYS.optional(
            "max_size",
            Sizes.between(1, MAX_SIZE_BYTES),
            RuleList.DEFAULT_MAX_SIZE_BYTES,
            "maximum size of the download or file, both compressed and decompressed",
            RuleList::maxSizeBytes);
    private static final Key<Integer> SHRINK_LIMIT = KEYS.optional(
            "shrink_limit",
            Percents.PERCENT,
            RuleList.DEFAULT_SHRINK_LIMIT_PERCENT,
            "rejects a new version that has less than this share of the previous number of rules, if that was at least "
                    + RuleList.MIN_GUARDED_RULES + "; 0% accepts every version",
            RuleList::shrinkLimitPercent);

    static {
        KEYS.exactlyOne(FILE, URL, RULES);
    }

    static final Type<RuleList> LIST = KEYS.build(DnsRuleListKeys::build);

    private DnsRuleListKeys() {}

    private static URI url(String text) {
        try {
            URI url = new URI(text);
            boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            Checks.that(isHttp && url.getHost() != null, "url", text, EXPECTED_URL);
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("url: " + text + " (expected: " + EXPECTED_URL + ")", e);
        }
    }

    private static Duration atLeastAMinute(Duration time) {
        Checks.that(time.compareTo(Duration.ofMinutes(1)) >= 0, "duration", time, "at least 1m");
        return time;
    }

    private static RuleList build(Values values) {
        return new RuleList(
                values.get(NAME),
                values.get(KIND),
                values.get(ENABLED),
                values.find(FILE),
                values.find(URL),
                values.find(RULES).orElse(List.of()),
                values.get(REFRESH),
                values.get(MAX_SIZE),
                values.get(SHRINK_LIMIT));
    }
}
