package io.ballast.config.keys.forward;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsClientGroup.Filter;
import io.ballast.dns.config.forward.DnsClientGroup.Period;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import java.time.ZoneId;
import java.util.List;

/** The keys of {@code dns.forward.groups[].filter}. */
final class DnsGroupFilterKeys {

    private static final Type<ZoneId> ZONE = Scalars.matching(
                    "time zone", "a time zone such as Europe/Berlin", "[A-Za-z][A-Za-z0-9_+/-]{0,63}")
            .map(DnsGroupFilterKeys::zone, ZoneId::getId);

    private static final ShapeBuilder<Filter> KEYS =
            Shape.named("dns_group_filter", "Filter settings of a group of clients, and their schedule.");

    private static final Key<List<String>> LISTS = KEYS.optional(
            "lists",
            ListType.of(Scalars.TEXT).unique("list", name -> name),
            "names of the lists that apply; all by default, [] for none",
            Filter::lists);
    private static final Key<Answer> ANSWER = KEYS.optional(
            "answer",
            EnumWords.of(Answer.class),
            "the answer for a blocked name; default: the answer of the filter",
            Filter::answer);
    private static final Key<List<IpAddress>> ADDRESSES = KEYS.optional(
            "addresses",
            ListType.of(Networks.ADDRESS).unique("address", address -> address),
            List.of(),
            "addresses returned for a blocked name; only with answer: addresses",
            Filter::addresses);
    private static final Key<ZoneId> TIMEZONE = KEYS.optional(
            "timezone",
            ZONE,
            "time zone of the schedule, such as Europe/Berlin; default: the time zone of the system",
            Filter::timezone);
    private static final Key<List<Period>> SCHEDULE = KEYS.optional(
            "schedule",
            ListType.of(DnsPeriodKeys.PERIOD),
            List.of(),
            "periods in which other lists apply; the first matching one is used; at most " + DnsClientGroup.MAX_PERIODS,
            Filter::schedule);

    static final Type<Filter> FILTER = KEYS.build(DnsGroupFilterKeys::build);

    private DnsGroupFilterKeys() {}

    private static ZoneId zone(String text) {
        Checks.that(
                ZoneId.getAvailableZoneIds().contains(text), "time zone", text, "a time zone such as Europe/Berlin");
        return ZoneId.of(text);
    }

    private static Filter build(Values values) {
        boolean needsAddresses =
                values.find(ANSWER).filter(Answer.ADDRESSES::equals).isPresent();
        if (needsAddresses == values.get(ADDRESSES).isEmpty()) {
            values.reading()
                    .mismatch(
                            values.node(needsAddresses ? ANSWER : ADDRESSES),
                            needsAddresses ? "the key 'addresses' as well" : "only with answer: addresses");
        }
        if (values.get(SCHEDULE).size() > DnsClientGroup.MAX_PERIODS) {
            values.reading().mismatch(values.node(SCHEDULE), "at most " + DnsClientGroup.MAX_PERIODS + " periods");
        }
        return new Filter(
                values.find(LISTS),
                values.find(ANSWER),
                values.get(ADDRESSES),
                values.find(TIMEZONE),
                values.get(SCHEDULE));
    }
}
