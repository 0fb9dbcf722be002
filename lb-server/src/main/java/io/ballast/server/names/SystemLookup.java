package io.ballast.server.names;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.hosts.HostsFileParser;

/**
 * Looks names up as the system is set up to: its hosts file, then its DNS servers, which tell how long an answer holds, then
 * whatever else it asks, such as mDNS.
 */
public final class SystemLookup implements NameLookup {

    private static final Logger LOG = LoggerFactory.getLogger(SystemLookup.class);

    private static final SystemLookup INSTANCE = new SystemLookup();

    private final NameLookup dns = new DnsLookup();

    private SystemLookup() {}

    /** The one of the process; what it takes is loaded by the first call. */
    public static NameLookup ofProcess() {
        return INSTANCE;
    }

    @Override
    public Answer find(String name) throws UnknownHostException {
        Optional<InetAddress> local = hostsFile(name);
        if (local.isPresent()) {
            return new Answer(List.of(local.get()), UNTIMED);
        }
        try {
            return dns.find(name);
        } catch (UnknownHostException e) {
            LOG.debug("name={} msg=\"{}\"", name, e.getMessage());
            return new Answer(List.of(InetAddress.getAllByName(name)), UNTIMED);
        }
    }

    private static Optional<InetAddress> hostsFile(String text) {
        try {
            Name name = Name.fromString(text, Name.root);
            HostsFileParser hosts = new HostsFileParser(); // knows nothing of what it read before
            Optional<InetAddress> found = hosts.getAddressForHost(name, Type.A);
            return found.isPresent() ? found : hosts.getAddressForHost(name, Type.AAAA);
        } catch (TextParseException e) {
            return Optional.empty();
        } catch (IOException e) {
            LOG.debug("msg=\"hosts file is not read\"", e);
            return Optional.empty();
        }
    }
}
