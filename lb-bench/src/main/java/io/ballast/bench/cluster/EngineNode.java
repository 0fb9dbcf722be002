package io.ballast.bench.cluster;

import io.ballast.cluster.log.FactLog;
import io.ballast.cluster.log.FactLogConfig;
import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.mesh.MeshConfig;
import io.ballast.net.tls.MutualTls;
import io.ballast.net.tls.TlsIdentity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process that runs one member of a cluster. Reads a command per line from standard input, and writes a line per
 * result:
 *
 * <pre>
 * put ID           acked ID MICROS, or failed ID REASON
 * state            state COUNT DIGEST LEADER MEMBERS
 * digest FIRST     digest FIRST DIGEST
 * list FROM        list ID@MICROS ...
 * </pre>
 */
public final class EngineNode {

    private static final int PUT_SECONDS = 5;
    private static final char[] PASSWORD = "ballast".toCharArray();

    private final AppliedCommands applied = new AppliedCommands();
    private final PrintStream out = System.out;
    private final FactLog log;
    private final Mesh mesh;

    private EngineNode(MeshConfig config, FactLogConfig logConfig) {
        this.log = new FactLog(logConfig, applied);
        this.mesh = new Mesh(config, System.currentTimeMillis(), List.of(log));
        log.start(mesh);
        mesh.start();
    }

    /**
     * @param args name, address, addresses of the peers, names of the voters, directory, PKCS #12 file with the node's
     *     key and the certificate of the authority; lists are separated by commas
     */
    public static void main(String[] args) throws Exception {
        MutualTls tls = tls(Path.of(args[5]));
        EngineNode node = new EngineNode(
                new MeshConfig(
                        "trial",
                        args[0],
                        address(args[1]),
                        Arrays.stream(args[2].split(","))
                                .map(EngineNode::address)
                                .toList(),
                        () -> tls),
                new FactLogConfig(
                        args[0], List.of(args[3].split(",")), Path.of(args[4]).resolve(args[0])));
        node.say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            node.run(line.split(" "));
        }
        node.log.close();
        node.mesh.close();
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static MutualTls tls(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        TlsIdentity own = null;
        List<X509Certificate> authorities = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                own = new TlsIdentity((PrivateKey) store.getKey(alias, PASSWORD), List.of((X509Certificate)
                        store.getCertificate(alias)));
            } else {
                authorities.add((X509Certificate) store.getCertificate(alias));
            }
        }
        return MutualTls.of(Objects.requireNonNull(own, "no key in " + file), authorities);
    }

    private void run(String[] words) {
        switch (words[0]) {
            case "put" -> put(words[1]);
            case "state" -> {
                int count = applied.count();
                say("state " + count + " " + applied.digest(count) + " " + log.leader() + " " + connected());
            }
            case "digest" -> say("digest " + words[1] + " " + applied.digest(Integer.parseInt(words[1])));
            case "list" -> say("list" + applied.listing(Integer.parseInt(words[1])));
            default -> throw new IllegalArgumentException("command " + words[0]);
        }
    }

    /** The names of this node and of the connected nodes. */
    private String connected() {
        return Stream.concat(Stream.of(mesh.self()), mesh.connected().keySet().stream())
                .map(ClusterNode::node)
                .collect(Collectors.joining(","));
    }

    private void put(String id) {
        long start = System.nanoTime();
        log.submit(id.getBytes(StandardCharsets.UTF_8))
                .orTimeout(PUT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((result, failure) -> say(
                        failure == null
                                ? "acked " + id + " " + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start)
                                : "failed " + id + " " + failure));
    }

    private synchronized void say(String line) {
        out.println(line);
        out.flush();
    }
}
