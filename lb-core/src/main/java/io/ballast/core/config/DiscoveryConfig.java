package io.ballast.core.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** A source of backends other than the configuration file. */
public sealed interface DiscoveryConfig {

    /** The type as named in the configuration, such as {@code dns}. */
    String type();

    /** Returns what the source looks up: the name {@code app.internal}, or the path of a file. */
    String subject();

    /**
     * Discovers one backend for each IP address of a host name.
     *
     * @param name the queried name
     * @param port the port of each backend
     */
    record Names(String name, int port) implements DiscoveryConfig {

        public Names {
            Checks.between(port, 1, 65535, "port");
        }

        @Override
        public String type() {
            return "dns";
        }

        @Override
        public String subject() {
            return name;
        }
    }

    /**
     * Discovers one backend for each SRV record of a name. The record defines the port, the weight and the
     * priority.
     *
     * @param name the queried name, such as {@code _http._tcp.app.internal}
     */
    record Srv(String name) implements DiscoveryConfig {

        @Override
        public String type() {
            return "srv";
        }

        @Override
        public String subject() {
            return name;
        }
    }

    /**
     * A file with a list of backends.
     *
     * @param path the file, or a directory of such files
     */
    record File(Path path) implements DiscoveryConfig {

        @Override
        public String type() {
            return "file";
        }

        @Override
        public String subject() {
            return path.toString();
        }
    }

    /**
     * The instances of a service in a Consul catalogue that pass their checks.
     *
     * @param address the address of an agent, such as {@code http://127.0.0.1:8500}
     * @param service the name of the service
     * @param tag the tag that an instance must have; if absent, any instance is accepted
     * @param token the access token sent to the agent; absent if none is sent
     * @param datacenter the datacenter; if absent, the agent's own
     */
    record Consul(
            URI address, String service, Optional<String> tag, Optional<String> token, Optional<String> datacenter)
            implements DiscoveryConfig {

        public static final URI DEFAULT_ADDRESS = URI.create("http://127.0.0.1:8500");

        @Override
        public String type() {
            return "consul";
        }

        @Override
        public String subject() {
            return service;
        }

        /** Returns a text that does not contain the token. */
        @Override
        public String toString() {
            return "Consul[" + address + ", " + service + "]";
        }
    }

    /**
     * The endpoints of a Kubernetes service.
     *
     * @param namespace the namespace; if absent, the namespace of this process
     * @param service the name of the service
     * @param port name or number of the port; absent if the service has only one port
     * @param api the API server; if absent, the server of the cluster in which this process runs
     * @param tokenFile file of the access token; if absent, the token of the service account
     * @param caFile file of the certificates that verify the server; if absent, the file of the service account
     */
    record Kubernetes(
            Optional<String> namespace,
            String service,
            Optional<String> port,
            Optional<URI> api,
            Optional<Path> tokenFile,
            Optional<Path> caFile)
            implements DiscoveryConfig {

        @Override
        public String type() {
            return "kubernetes";
        }

        @Override
        public String subject() {
            return service;
        }
    }

    /**
     * The backends that agents have registered for a pool.
     *
     * @param pool the name of the pool
     */
    record Agents(String pool) implements DiscoveryConfig {

        @Override
        public String type() {
            return "agents";
        }

        @Override
        public String subject() {
            return pool;
        }
    }

    /**
     * Containers of a Docker daemon, by label.
     *
     * @param socket the daemon's socket
     * @param service the required value of the label {@code ballast.pool}
     * @param port port of each backend, unless the label {@code ballast.port} sets another; absent if the label is
     *     required
     */
    record Docker(Path socket, String service, Optional<Integer> port) implements DiscoveryConfig {

        public static final Path DEFAULT_SOCKET = Path.of("/var/run/docker.sock");

        public Docker {
            port.ifPresent(number -> Checks.between(number, 1, 65535, "port"));
        }

        @Override
        public String type() {
            return "docker";
        }

        @Override
        public String subject() {
            return service;
        }
    }
}
