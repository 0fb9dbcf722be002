package io.ballast.dns.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** The query of a health check, and the evaluation of its response. Immutable. */
final class DnsCheckEvaluator {

    /** The result of evaluating a received message. */
    enum Outcome {
        /** The message is not the response to the query; the response may still arrive. */
        UNRELATED,
        /** The response is truncated, so the query must be repeated over TCP. */
        TRUNCATED,
        /** The verdict has been reported. */
        COMPLETED
    }

    private static final int MAX_SHOWN = 5;

    private final HealthCheck.Dns check;
    private final Message query;

    private DnsCheckEvaluator(HealthCheck.Dns check, Message query) {
        this.check = check;
        this.query = query;
    }

    /** @throws IllegalArgumentException if the queried name or type is not valid */
    static DnsCheckEvaluator of(HealthCheck.Dns check) {
        try {
            Name name = Name.fromString(check.name(), Name.root);
            return new DnsCheckEvaluator(
                    check, Message.newQuery(Record.newRecord(name, Type.value(check.type()), DClass.IN)));
        } catch (TextParseException e) {
            throw new IllegalArgumentException("name: " + check.name() + " (expected: a domain name)", e);
        }
    }

    /** The query in wire format. */
    byte[] query() {
        return query.toWire();
    }

    /**
     * @param isUdp whether the message was received over UDP; {@link Outcome#TRUNCATED} is returned only in this case
     */
    Outcome evaluate(byte[] bytes, boolean isUdp, FirstResult verdict) {
        Message response;
        try {
            response = new Message(bytes);
        } catch (IOException e) {
            return Outcome.UNRELATED;
        }
        boolean isResponse = response.getHeader().getID() == query.getHeader().getID()
                && response.getHeader().getFlag(Flags.QR)
                && (response.getQuestion() == null || response.getQuestion().equals(query.getQuestion()));
        if (!isResponse) {
            return Outcome.UNRELATED;
        }
        if (isUdp && response.getHeader().getFlag(Flags.TC)) {
            return Outcome.TRUNCATED;
        }
        evaluate(response, verdict);
        return Outcome.COMPLETED;
    }

    private void evaluate(Message response, FirstResult verdict) {
        String rcode = Rcode.string(response.getRcode());
        if (!check.rcodes().contains(rcode)) {
            verdict.failed(rcode + " (expected: " + String.join(", ", check.rcodes()) + ")");
            return;
        }
        List<IpAddress> addresses = response.getSection(Section.ANSWER).stream()
                .flatMap(DnsCheckEvaluator::address)
                .toList();
        if (!check.addresses().isEmpty() && addresses.stream().noneMatch(check.addresses()::contains)) {
            verdict.failed(rcode + " with " + (addresses.isEmpty() ? "no address" : text(addresses)) + " (expected: "
                    + text(check.addresses()) + ")");
            return;
        }
        verdict.passed(rcode + (addresses.isEmpty() ? "" : " with " + text(addresses)));
    }

    private static Stream<IpAddress> address(Record record) {
        if (record instanceof ARecord ipv4) {
            return Stream.of(IpAddress.of(ipv4.getAddress().getAddress()));
        }
        return record instanceof AAAARecord ipv6
                ? Stream.of(IpAddress.of(ipv6.getAddress().getAddress()))
                : Stream.empty();
    }

    private static String text(List<IpAddress> addresses) {
        String shown =
                addresses.stream().limit(MAX_SHOWN).map(IpAddress::toString).collect(Collectors.joining(", "));
        return addresses.size() <= MAX_SHOWN ? shown : shown + " and more";
    }
}
