package io.ballast.discovery.names;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A lookup that returns the answers set by the test and records the queried names. */
final class ScriptedLookup implements NameLookup {

    final List<String> queried = new ArrayList<>();
    private final Map<String, Answer> answers = new HashMap<>();

    void set(String name, Duration ttl, String... addresses) throws UnknownHostException {
        List<InetAddress> all = new ArrayList<>();
        for (String address : addresses) {
            all.add(InetAddress.getByName(address));
        }
        answers.put(name, new Answer(all, ttl));
    }

    void forget(String name) {
        answers.remove(name);
    }

    /** Returns only the IPv4 addresses if there are any, like a lookup with DNS servers. */
    @Override
    public Answer find(String name) throws UnknownHostException {
        Answer all = findAll(name);
        List<InetAddress> ipv4 =
                all.addresses().stream().filter(Inet4Address.class::isInstance).toList();
        return ipv4.isEmpty() ? all : new Answer(ipv4, all.ttl());
    }

    @Override
    public Answer findAll(String name) throws UnknownHostException {
        queried.add(name);
        Answer answer = answers.get(name);
        if (answer == null) {
            throw new UnknownHostException(name);
        }
        return answer;
    }
}
