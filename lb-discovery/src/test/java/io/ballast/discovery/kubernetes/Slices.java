package io.ballast.discovery.kubernetes;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Kubernetes API objects in the format of servers of version 1.31. */
final class Slices {

    static final String READY = "{\"ready\":true,\"serving\":true,\"terminating\":false}";
    static final String LEAVING = "{\"ready\":false,\"serving\":true,\"terminating\":true}";
    static final String GONE = "{\"ready\":false,\"serving\":false,\"terminating\":true}";
    static final String UNREADY = "{\"ready\":false,\"serving\":false,\"terminating\":false}";

    private static final String PORTS = "[{\"name\":\"http\",\"port\":8080,\"protocol\":\"TCP\"}]";

    private Slices() {}

    static String endpoint(String address, String conditions) {
        return "{\"addresses\":[\"" + address + "\"],\"conditions\":" + conditions
                + ",\"nodeName\":\"node-1\",\"targetRef\":{\"kind\":\"Pod\",\"name\":\"web-x\",\"namespace\":\"prod\"},\"zone\":\"a\"}";
    }

    /** Returns a slice with the port 8080, named {@code http}, and IPv4 addresses. */
    static String slice(String name, int version, String... endpoints) {
        return sliceOf(name, version, "IPv4", PORTS, endpoints);
    }

    static String sliceOf(String name, int version, String type, String ports, String... endpoints) {
        return "{\"metadata\":{\"name\":\"" + name
                + "\",\"generateName\":\"web-\",\"namespace\":\"prod\",\"uid\":\"1\","
                + "\"resourceVersion\":\"" + version + "\",\"labels\":{\"kubernetes.io/service-name\":\"web\"},"
                + "\"managedFields\":[{\"manager\":\"kube-controller-manager\",\"fieldsV1\":{\"f:addressType\":{}}}]},"
                + "\"addressType\":\"" + type + "\",\"endpoints\":["
                + String.join(",", endpoints) + "],\"ports\":" + ports + "}";
    }

    static String list(int version, String next, String... slices) {
        return "{\"kind\":\"EndpointSliceList\",\"apiVersion\":\"discovery.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\""
                + version + "\"" + (next.isEmpty() ? "" : ",\"continue\":\"" + next + "\",\"remainingItemCount\":1")
                + "},\"items\":[" + String.join(",", slices) + "]}\n";
    }

    static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    }

    static String bookmark(int version) {
        return event(
                "BOOKMARK",
                "{\"kind\":\"EndpointSlice\",\"apiVersion\":\"discovery.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\""
                        + version + "\",\"creationTimestamp\":null},\"endpoints\":null,\"ports\":null}");
    }

    static String status(int code, String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                + message + "\",\"reason\":\"Expired\",\"code\":" + code + "}";
    }

    /** Returns the addresses with port 8080. */
    static List<String> at(String... addresses) {
        return Stream.of(addresses).map(each -> each + ":8080").collect(Collectors.toList());
    }
}
