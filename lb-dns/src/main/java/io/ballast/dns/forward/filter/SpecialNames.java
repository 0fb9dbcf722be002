package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.LocalReverseZones;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Special names, which must not be sent to internet resolvers, and the answers for them:
 *
 * <table>
 *   <caption>Special names</caption>
 *   <tr><td>{@code localhost} and below</td><td>127.0.0.1 and ::1</td><td>RFC 6761 section 6.3</td></tr>
 *   <tr><td>{@code test}, {@code invalid} and below</td><td>NXDOMAIN</td>
 *     <td>RFC 6761 sections 6.2 and 6.4</td></tr>
 *   <tr><td>{@code onion} and below</td><td>NXDOMAIN</td><td>RFC 7686</td></tr>
 *   <tr><td>below {@code home.arpa}</td><td>NXDOMAIN</td><td>RFC 8375</td></tr>
 *   <tr><td>{@code resolver.arpa} and below</td><td>no such records</td><td>RFC 9462 section 6.4</td></tr>
 *   <tr><td>below {@link LocalReverseZones}</td><td>NXDOMAIN</td><td>RFC 6303, RFC 7793</td></tr>
 * </table>
 *
 * <p>Thread safety: immutable. Cost of a lookup: one probe for most names; allocates nothing.
 */
public final class SpecialNames {

    private static final int TTL_SECONDS = 10_800;
    private static final AnswerChoice NXDOMAIN_ANSWER = new AnswerChoice(Answer.NXDOMAIN, List.of(), TTL_SECONDS);
    private static final AnswerChoice NODATA_ANSWER = new AnswerChoice(Answer.NODATA, List.of(), TTL_SECONDS);
    private static final AnswerChoice LOOPBACK_ANSWER = new AnswerChoice(
            Answer.ADDRESSES, List.of(IpAddress.parse("127.0.0.1"), IpAddress.parse("::1")), TTL_SECONDS);

    /** The top-level domains of all special names. */
    private static final List<String> TOP_LEVEL_DOMAINS = List.of("localhost", "test", "invalid", "onion", "arpa");

    private final NamePositions topLevelDomains;
    private final NamePositions names;
    private final List<Special> specials = new ArrayList<>();

    /** The answers for a name and for names below it. */
    private record Special(String name, AnswerChoice answerAtName, AnswerChoice answerBelow) {}

    /** @param hash the hash of the names to look up */
    public SpecialNames(NameHash hash) {
        specials.add(new Special("localhost", LOOPBACK_ANSWER, LOOPBACK_ANSWER));
        specials.add(new Special("test", NXDOMAIN_ANSWER, NXDOMAIN_ANSWER));
        specials.add(new Special("invalid", NXDOMAIN_ANSWER, NXDOMAIN_ANSWER));
        specials.add(new Special("onion", NXDOMAIN_ANSWER, NXDOMAIN_ANSWER));
        specials.add(new Special("home.arpa", NODATA_ANSWER, NXDOMAIN_ANSWER));
        specials.add(new Special("resolver.arpa", NODATA_ANSWER, NODATA_ANSWER));
        LocalReverseZones.PRIVATE.forEach(zone -> specials.add(new Special(zone, NODATA_ANSWER, NXDOMAIN_ANSWER)));
        LocalReverseZones.UNUSED.forEach(zone -> specials.add(new Special(zone, NODATA_ANSWER, NXDOMAIN_ANSWER)));
        this.topLevelDomains = new NamePositions(hash, TOP_LEVEL_DOMAINS);
        this.names =
                new NamePositions(hash, specials.stream().map(Special::name).toList());
    }

    /** Returns the answer for a hashed name; null for a name that is not special. */
    public @Nullable AnswerChoice find(QueryName name) {
        int labels = name.labels();
        if (labels == 0 || topLevelDomains.find(name, labels - 1) == NamePositions.NONE) {
            return null;
        }
        for (int suffix = 0; suffix < labels; suffix++) {
            int position = names.find(name, suffix);
            if (position != NamePositions.NONE) {
                Special special = specials.get(position);
                return suffix == 0 ? special.answerAtName() : special.answerBelow();
            }
        }
        return null;
    }
}
