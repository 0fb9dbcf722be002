package io.ballast.discovery.kubernetes;

import java.util.List;

/**
 * Some of the endpoints of a service, with the fields of an <a
 * href="https://kubernetes.io/docs/reference/kubernetes-api/service-resources/endpoint-slice-v1/"
 * >EndpointSlice</a>.
 *
 * @param name unique among the slices of a namespace
 * @param addressType {@code IPv4}, {@code IPv6} or {@code FQDN}
 * @param ports the ports that every endpoint of the slice has
 */
record Slice(String name, String addressType, List<Port> ports, List<Endpoint> endpoints) {

    Slice {
        ports = List.copyOf(ports);
        endpoints = List.copyOf(endpoints);
    }

    /**
     * A port.
     *
     * @param name empty if the port has no name
     * @param number 0 for any port
     */
    record Port(String name, int number) {

        @Override
        public String toString() {
            return name.isEmpty() ? Integer.toString(number) : name + " " + number;
        }
    }

    /**
     * An endpoint, usually a pod.
     *
     * @param address the first of the endpoint's addresses, which are equivalent
     * @param serving whether the endpoint is ready, or still serves requests while it terminates
     * @param terminating whether the endpoint is about to stop
     */
    record Endpoint(String address, boolean serving, boolean terminating) {}
}
