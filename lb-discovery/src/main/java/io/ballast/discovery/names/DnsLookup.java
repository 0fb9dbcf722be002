package io.ballast.discovery.names;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Asks recursive DNS servers for the IPv4 addresses of a name, and for its IPv6 addresses if it has no IPv4
 * address. The TTL of an answer is the lowest TTL of its records, including CNAME records.
 *
 * <p>Thread safety: may be called from any thread.
 */
final class DnsLookup implements NameLookup {

    /** Time limit for one server. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Time limit of a lookup over all servers that it tries. */
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(5);

    private static final int TRIES = 2;

    private final @Nullable Setup fixedSetup;
    private volatile @Nullable Setup systemSetup;

    /** The resolver, and the search list for relative names. */
    record Setup(Resolver resolver, List<Name> search, int ndots) {

        /** Returns the current DNS settings of the operating system. */
        static Setup ofSystem() {
            ResolverConfig config = ResolverConfig.getCurrentConfig();
            List<Resolver> servers = new ArrayList<>();
            for (InetSocketAddress server : config.servers()) {
                SimpleResolver each = new SimpleResolver(server);
                each.setTimeout(TIMEOUT);
                servers.add(each);
            }
            ExtendedResolver all = new ExtendedResolver(servers);
            all.setRetries(TRIES);
            all.setTimeout(MAX_TIMEOUT);
            return new Setup(all, config.searchPath(), config.ndots());
        }
    }

    /** Queries the DNS servers of the operating system; their settings are read again after a failure. */
    DnsLookup() {
        this.fixedSetup = null;
    }

    DnsLookup(Setup setup) {
        this.fixedSetup = setup;
    }

    /** Sends a query for one candidate name. */
    @FunctionalInterface
    interface Question<T> {

        /** Returns null if the name does not exist or has no such records. */
        @Nullable T query(Name name, Resolver resolver) throws IOException;
    }

    @Override
    public Answer find(String name) throws UnknownHostException {
        return search(name, DnsLookup::queryAddresses, "has no address");
    }

    /**
     * Queries each fully qualified form of {@code name} (search domains) until a query returns an answer. If no query
     * returns an answer, throws an exception whose text ends in {@code missing}.
     */
    <T> T search(String name, Question<T> question, String missing) throws UnknownHostException {
        Setup setup = setup();
        try {
            for (Name candidate : candidates(Name.fromString(name), setup)) {
                T answer = question.query(candidate, setup.resolver());
                if (answer != null) {
                    return answer;
                }
            }
        } catch (TextParseException e) {
            throw unknown(name + ": not a DNS name", e);
        } catch (IOException e) {
            ResolverConfig.refresh();
            systemSetup = null;
            throw unknown(name + ": " + ErrorText.of(e), e);
        }
        throw new UnknownHostException(name + ": does not exist, or " + missing);
    }

    private Setup setup() {
        if (fixedSetup != null) {
            return fixedSetup;
        }
        Setup now = systemSetup;
        if (now == null) {
            now = Setup.ofSystem();
            systemSetup = now;
        }
        return now;
    }

    private static UnknownHostException unknown(String message, IOException cause) {
        UnknownHostException unknown = new UnknownHostException(message);
        unknown.initCause(cause);
        return unknown;
    }

    /** Returns the candidates for a name, in the order that resolv.conf(5) defines. */
    private static List<Name> candidates(Name name, Setup setup) throws NameTooLongException {
        if (name.isAbsolute()) {
            return List.of(name);
        }
        List<Name> candidates = new ArrayList<>();
        for (Name domain : setup.search()) {
            if (name.length() + domain.length() <= 255) {
                candidates.add(Name.concatenate(name, domain));
            }
        }
        boolean asItIsFirst = name.labels() - 1 >= setup.ndots();
        candidates.add(asItIsFirst ? 0 : candidates.size(), Name.concatenate(name, Name.root));
        return candidates;
    }

    /** Returns null if the name does not exist or has no address. */
    private static @Nullable Answer queryAddresses(Name name, Resolver resolver) throws IOException {
        for (int type : new int[] {Type.A, Type.AAAA}) {
            Message response = send(name, type, resolver);
            if (response == null) {
                return null;
            }
            Answer answer = read(response);
            if (answer != null) {
                return answer;
            }
        }
        return null;
    }

    /** Sends a query; returns null if the name does not exist. */
    static @Nullable Message send(Name name, int type, Resolver resolver) throws IOException {
        Message response = resolver.send(Message.newQuery(Record.newRecord(name, type, DClass.IN)));
        if (response.getRcode() == Rcode.NXDOMAIN) {
            return null;
        }
        if (response.getRcode() != Rcode.NOERROR) {
            throw new IOException("the DNS server returned " + Rcode.string(response.getRcode()));
        }
        return response;
    }

    /** Returns the addresses of an answer, or null if it has none. */
    static @Nullable Answer read(Message response) {
        List<InetAddress> addresses = new ArrayList<>();
        long ttl = Long.MAX_VALUE;
        for (Record each : response.getSection(Section.ANSWER)) {
            if (each instanceof ARecord a) {
                addresses.add(a.getAddress());
            } else if (each instanceof AAAARecord aaaa) {
                addresses.add(aaaa.getAddress());
            } else if (!(each instanceof CNAMERecord)) {
                continue;
            }
            ttl = Math.min(ttl, each.getTTL());
        }
        return addresses.isEmpty() ? null : new Answer(addresses, Duration.ofSeconds(ttl));
    }
}
