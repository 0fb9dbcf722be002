package io.ballast.dns.follow;

import io.ballast.core.ErrorText;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.EdnsError;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Extracts addresses from the forwarder's answers. Thread safety: any thread may call it. */
final class LookupResultParser {

    private LookupResultParser() {}

    static LookupResult read(Question question, CacheEntry answer) {
        if (answer.isFailure()) {
            return new LookupResult.Failed(failure(answer));
        }
        List<InetAddress> addresses;
        try {
            addresses = addresses(question, answer);
        } catch (IOException e) {
            return new LookupResult.Failed("the answer is malformed: " + ErrorText.of(e));
        }
        if (!addresses.isEmpty()) {
            return new LookupResult.Addresses(addresses, answer.lifetimeSeconds());
        }
        String reason = answer.rcode() == Rcode.NXDOMAIN
                ? "the name does not exist"
                : "the name has no " + Type.string(question.type()) + " records";
        return new LookupResult.None(reason, answer.lifetimeSeconds());
    }

    private static String failure(CacheEntry answer) {
        EdnsError error = answer.error();
        return error == null
                ? "the resolvers returned " + Rcode.string(answer.rcode())
                : "the answer of the resolvers was rejected: "
                        + error.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /**
     * Returns the addresses at the end of the alias chain. The forwarder has already removed records of other names.
     */
    private static List<InetAddress> addresses(Question question, CacheEntry answer) throws IOException {
        List<Record> records = new Message(answer.message(question)).getSection(Section.ANSWER);
        Set<Name> aliases = new HashSet<>();
        records.stream().filter(CNAMERecord.class::isInstance).forEach(each -> aliases.add(each.getName()));
        List<InetAddress> addresses = new ArrayList<>();
        for (Record each : records) {
            if (each.getType() != question.type() || aliases.contains(each.getName())) {
                continue; // a name with an alias has no other data
            }
            if (each instanceof ARecord a) {
                addresses.add(a.getAddress());
            } else if (each instanceof AAAARecord aaaa) {
                addresses.add(aaaa.getAddress());
            }
        }
        return addresses;
    }
}
