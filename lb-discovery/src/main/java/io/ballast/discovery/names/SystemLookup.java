package io.ballast.discovery.names;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.hosts.HostsFileParser;

/**
 * Resolves names with the settings of the operating system. It uses the hosts file, the DNS servers, which
 * provide TTLs, and then other services such as mDNS.
 */
public final class SystemLookup implements NameLookup, RecordLookup {

    private static final Logger LOG = LoggerFactory.getLogger(SystemLookup.class);

    private static final SystemLookup INSTANCE = new SystemLookup();

    private final DnsLookup dns = new DnsLookup();
    private final RecordLookup records = new DnsRecords(dns);

    private SystemLookup() {}

    /** Returns the lookup that the whole process shares. Its resources are loaded by the first call. */
    public static NameLookup ofProcess() {
        return INSTANCE;
    }

    /** Returns the lookup that the whole process shares, for records of any type. */
    public static RecordLookup recordsOfProcess() {
        return INSTANCE;
    }

    @Override
    public Answer find(String name) throws UnknownHostException {
        List<InetAddress> local = hostsFile(name);
        if (!local.isEmpty()) {
            return new Answer(local.subList(0, 1), DEFAULT_TTL);
        }
        try {
            return dns.find(name);
        } catch (UnknownHostException e) {
            return findBySystem(name, e);
        }
    }

    @Override
    public Answer findAll(String name) throws UnknownHostException {
        List<InetAddress> local = hostsFile(name);
        if (!local.isEmpty()) {
            return new Answer(local, DEFAULT_TTL);
        }
        try {
            return records.findAll(name);
        } catch (UnknownHostException e) {
            return findBySystem(name, e);
        }
    }

    @Override
    public Services findServices(String name) throws UnknownHostException {
        return records.findServices(name);
    }

    private static Answer findBySystem(String name, UnknownHostException missing) throws UnknownHostException {
        LOG.debug("name={} msg=\"{}\"", name, ErrorText.of(missing));
        return new Answer(List.of(InetAddress.getAllByName(name)), DEFAULT_TTL);
    }

    /** Returns the first IPv4 address and the first IPv6 address of a name in the hosts file. */
    private static List<InetAddress> hostsFile(String text) {
        List<InetAddress> found = new ArrayList<>();
        try {
            Name name = Name.fromString(text, Name.root);
            HostsFileParser hosts = new HostsFileParser(); // a new parser has no cached copy of the file
            hosts.getAddressForHost(name, Type.A).ifPresent(found::add);
            hosts.getAddressForHost(name, Type.AAAA).ifPresent(found::add);
        } catch (TextParseException e) {
            return found;
        } catch (IOException e) {
            LOG.debug("msg=\"cannot read the hosts file\"", e);
        }
        return found;
    }
}
