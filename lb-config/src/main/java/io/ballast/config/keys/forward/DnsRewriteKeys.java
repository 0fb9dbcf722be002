package io.ballast.config.keys.forward;

import io.ballast.config.key.Key;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code dns.forward.filter.rewrites[]}. */
final class DnsRewriteKeys {

    private static final String UNCHANGED = "unchanged";
    private static final String NAMES = "[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?";

    private static final ShapeBuilder<Rewrite> KEYS = Shape.named(
            "dns_rewrite", "A name with a fixed answer for all clients. The most specific matching name is used.");

    private static final Key<String> NAME = KEYS.required(
            "name",
            Scalars.matching(
                            "domain name",
                            "a domain name, or *. and a domain name for all names below it",
                            "(\\*\\.)?" + NAMES)
                    .map(name -> name.toLowerCase(Locale.ROOT), name -> name),
            "the name to answer; *. and a name matches all names below it",
            Rewrite::name);
    private static final Key<List<IpAddress>> ADDRESSES = KEYS.optional(
            "addresses",
            OneOrMore.of(Networks.ADDRESS, "address"),
            "addresses to answer with; an address family that is not given has no records",
            rewrite -> rewrite.addresses().isEmpty() ? Optional.empty() : Optional.of(rewrite.addresses()));
    private static final Key<Optional<Answer>> ANSWER = KEYS.optional(
            "answer",
            Scalars.choice(answers(), DnsRewriteKeys::word),
            "answer without addresses; unchanged makes an exception to a wildcard",
            rewrite -> rewrite.addresses().isEmpty() && rewrite.target().isEmpty()
                    ? Optional.of(rewrite.answer())
                    : Optional.empty());
    private static final Key<String> CNAME = KEYS.optional(
            "cname",
            Scalars.matching("domain name", "a domain name such as www.example.com", NAMES)
                    .map(name -> name.toLowerCase(Locale.ROOT), name -> name),
            "target of an alias (CNAME record); resolvers are queried for the target",
            Rewrite::target);

    static {
        KEYS.exactlyOne(ADDRESSES, ANSWER, CNAME);
    }

    static final Type<Rewrite> REWRITE = KEYS.build(values -> new Rewrite(
            values.get(NAME),
            values.find(ADDRESSES).orElse(List.of()),
            values.find(ANSWER).orElse(Optional.empty()),
            values.find(CNAME)));

    private DnsRewriteKeys() {}

    private static Map<String, Optional<Answer>> answers() {
        Map<String, Optional<Answer>> answers = new LinkedHashMap<>();
        answers.put("nxdomain", Optional.of(Answer.NXDOMAIN));
        answers.put("nodata", Optional.of(Answer.NODATA));
        answers.put("refused", Optional.of(Answer.REFUSED));
        answers.put(UNCHANGED, Optional.empty());
        return answers;
    }

    private static Object word(Optional<Answer> answer) {
        return answer.map(some -> some.name().toLowerCase(Locale.ROOT)).orElse(UNCHANGED);
    }
}
