package io.ballast.discovery.consul;

import io.ballast.core.ErrorText;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.remote.JsonWalk;
import io.ballast.discovery.source.DiscoveredBackend;
import java.io.IOException;

/**
 * Reads the response of <a
 * href="https://developer.hashicorp.com/consul/api-docs/health#list-service-instances-for-service"> {@code
 * /v1/health/service}</a>. Each instance has the address of its service; if the service has no address, the instance
 * has the address of its node. The weight is the value that Consul uses while checks pass.
 */
final class ServiceInstances {

    private final JsonWalk json;
    private final BackendSet backends = new BackendSet();
    private String nodeAddress = "";
    private String serviceAddress = "";
    private String id = "";
    private int port;
    private int weight = 1;

    private ServiceInstances(JsonWalk json) {
        this.json = json;
    }

    /** @throws IOException if it is not a response from Consul */
    static BackendSet read(byte[] body) throws IOException {
        try (JsonWalk json = JsonWalk.of(body)) {
            ServiceInstances instances = new ServiceInstances(json);
            json.array(instances::instance);
            return instances.backends;
        }
    }

    private void instance() throws IOException {
        nodeAddress = "";
        serviceAddress = "";
        id = "";
        port = 0;
        weight = 1;
        json.object(field -> {
            switch (field) {
                case "Node" -> json.object(this::readNodeField);
                case "Service" -> json.object(this::readServiceField);
                default -> {}
            }
        });
        String address = serviceAddress.isEmpty() ? nodeAddress : serviceAddress;
        try {
            backends.add(new DiscoveredBackend(
                    BackendSet.address(address, port), weight, /* backup= */ false, /* draining= */ false));
        } catch (IllegalArgumentException e) {
            backends.omit(id, ErrorText.of(e));
        }
    }

    private void readNodeField(String field) throws IOException {
        if (field.equals("Address")) {
            nodeAddress = json.text();
        }
    }

    private void readServiceField(String field) throws IOException {
        switch (field) {
            case "ID" -> id = json.text();
            case "Address" -> serviceAddress = json.text();
            case "Port" -> port = json.number();
            case "Weights" -> json.object(this::readWeightField);
            default -> {}
        }
    }

    private void readWeightField(String field) throws IOException {
        if (field.equals("Passing")) {
            weight = json.number();
        }
    }
}
