package io.ballast.dns.forward;

import static java.util.Objects.requireNonNull;

import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.net.InetAddress;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** A fake resolver that answers TXT queries with the received client subnet, and returns a scope. */
final class SubnetResolver {

    private SubnetResolver() {}

    /** Returns the client subnet of a query; null if there is none. */
    static @Nullable ClientSubnetOption subnetOf(Message query) {
        OPTRecord opt = query.getOPT();
        List<EDNSOption> options = opt == null ? List.of() : opt.getOptions(EDNSOption.Code.CLIENT_SUBNET);
        return options.isEmpty() ? null : (ClientSubnetOption) options.get(0);
    }

    static String text(@Nullable ClientSubnetOption subnet) {
        return subnet == null
                ? "none"
                : subnet.getAddress().getHostAddress() + "/" + subnet.getSourcePrefixLength() + " family "
                        + subnet.getFamily();
    }

    /** Returns the client subnets of all received TXT queries, in order. */
    static List<String> subnets(FakeResolver resolver) {
        return resolver.queries().stream()
                .filter(query -> query.getQuestion().getType() == Type.TXT)
                .map(query -> text(subnetOf(query)))
                .toList();
    }

    /**
     * Makes the resolver answer with the received client subnet, and with the scope that {@code scope} returns for it.
     */
    static void tailors(FakeResolver resolver, ToIntFunction<ClientSubnetOption> scope) {
        resolver.answers(query -> {
            ClientSubnetOption subnet = subnetOf(query);
            Message reply = tailored(query);
            if (subnet != null) {
                reply.addRecord(
                        opt(subnet.getSourcePrefixLength(), scope.applyAsInt(subnet), subnet.getAddress()),
                        Section.ADDITIONAL);
            }
            return reply;
        });
    }

    /** Returns an answer with the received client subnet, without a scope. */
    static Message tailored(Message query) {
        Message reply = FakeResolver.reply(query, 0);
        reply.addRecord(
                new TXTRecord(query.getQuestion().getName(), 1, FakeResolver.TTL, text(subnetOf(query))),
                Section.ANSWER);
        return reply;
    }

    /**
     * Returns the answer of {@link #tailored} with a scope, so that it is only for the network of the query. Without a
     * scope, an answer is for all networks.
     */
    static Message scoped(Message query) {
        ClientSubnetOption subnet = requireNonNull(subnetOf(query));
        Message reply = tailored(query);
        int bits = subnet.getSourcePrefixLength();
        reply.addRecord(opt(bits, bits, subnet.getAddress()), Section.ADDITIONAL);
        return reply;
    }

    static OPTRecord opt(int source, int scope, InetAddress address) {
        return new OPTRecord(1232, 0, 0, 0, List.of(new ClientSubnetOption(source, scope, address)));
    }

    /** Makes a query with a client subnet. */
    static Message query(String name, String address, int source) {
        try {
            return Messages.query(name, Type.TXT, opt(source, 0, InetAddress.getByName(address)));
        } catch (java.net.UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }
}
