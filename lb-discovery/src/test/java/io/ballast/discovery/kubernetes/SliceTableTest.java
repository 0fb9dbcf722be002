package io.ballast.discovery.kubernetes;

import static io.ballast.discovery.kubernetes.Slices.GONE;
import static io.ballast.discovery.kubernetes.Slices.LEAVING;
import static io.ballast.discovery.kubernetes.Slices.READY;
import static io.ballast.discovery.kubernetes.Slices.UNREADY;
import static io.ballast.discovery.kubernetes.Slices.endpoint;
import static io.ballast.discovery.kubernetes.Slices.list;
import static io.ballast.discovery.kubernetes.Slices.slice;
import static io.ballast.discovery.kubernetes.Slices.sliceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.discovery.remote.BackendSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SliceTableTest {

    private static final String TWO_PORTS =
            "[{\"name\":\"http\",\"port\":8080,\"protocol\":\"TCP\"},{\"name\":\"metrics\",\"port\":9090,\"protocol\":\"TCP\"}]";

    @Test
    void conditionsSelectServingAndTerminating() throws IOException {
        assertThat(backends(
                        Optional.empty(),
                        slice(
                                "web-a",
                                1,
                                endpoint("10.0.0.1", READY),
                                endpoint("10.0.0.2", LEAVING),
                                endpoint("10.0.0.3", GONE),
                                endpoint("10.0.0.4", UNREADY),
                                endpoint("10.0.0.5", "{}"),
                                endpoint("10.0.0.6", "{\"ready\":null,\"serving\":null,\"terminating\":null}"),
                                endpoint("10.0.0.7", "{\"ready\":false,\"terminating\":true}"))))
                .containsExactly("10.0.0.1:8080", "10.0.0.2:8080 draining", "10.0.0.5:8080", "10.0.0.6:8080");
    }

    @Test
    void duplicateEndpointServesIfReadyInOneSlice() throws IOException {
        String leaving = slice("web-a", 1, endpoint("10.0.0.1", LEAVING));
        String ready = slice("web-b", 1, endpoint("10.0.0.1", READY));

        assertThat(backends(Optional.empty(), leaving, ready)).containsExactly("10.0.0.1:8080");
        assertThat(backends(Optional.empty(), ready, leaving)).containsExactly("10.0.0.1:8080");
    }

    @Test
    void selectsPortByNameOrNumber() throws IOException {
        String both = sliceOf("web-a", 1, "IPv4", TWO_PORTS, endpoint("10.0.0.1", READY));

        assertThat(backends(Optional.of("metrics"), both)).containsExactly("10.0.0.1:9090");
        assertThat(backends(Optional.of("8080"), both)).containsExactly("10.0.0.1:8080");
        assertThatThrownBy(() -> backends(Optional.of("80"), both))
                .isInstanceOf(IOException.class)
                .hasMessage("port: 80 (expected: one of http 8080, metrics 9090)");
        assertThatThrownBy(() -> backends(Optional.empty(), both))
                .isInstanceOf(IOException.class)
                .hasMessage("port: not given (expected: one of http 8080, metrics 9090)");
    }

    @Test
    void serviceWithoutEndpointsHasNoBackends() throws IOException {
        assertThat(backends(Optional.of("http"))).isEmpty();
        assertThat(backends(Optional.of("http"), sliceOf("web-a", 1, "IPv4", "null")))
                .isEmpty();
    }

    @Test
    void prefersIpv4() throws IOException {
        String six =
                sliceOf("web-6", 1, "IPv6", "[{\"name\":\"http\",\"port\":8080}]", endpoint("2001:DB8:0::1", READY));
        String names =
                sliceOf("web-n", 1, "FQDN", "[{\"name\":\"http\",\"port\":8080}]", endpoint("a.example.com", READY));

        assertThat(backends(Optional.empty(), six, slice("web-4", 1, endpoint("10.0.0.1", READY)), names))
                .containsExactly("10.0.0.1:8080");
        assertThat(backends(Optional.empty(), six, names)).containsExactly("[2001:db8::1]:8080");
    }

    @Test
    void rejectsTooManyEndpoints() throws IOException {
        SliceTable table = new SliceTable(Optional.empty());
        List<String> endpoints = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            endpoints.add(endpoint("10.0." + i / 250 + "." + i % 250, UNREADY));
        }
        Slice full = slices(slice("web", 1, endpoints.toArray(String[]::new))).get(0);

        for (int i = 0; i < SliceTable.MAX_ENDPOINTS / 1000; i++) {
            table.put(named(full, "web-" + i));
            table.put(named(full, "web-" + i));
        }
        assertThatThrownBy(() -> table.put(named(full, "web-more")))
                .hasMessageStartingWith("more than 40000 endpoints");
        table.remove("web-more");
        table.remove("web-0");
        table.put(named(full, "web-more"));
        assertThat(table.backends().isEmpty()).isTrue();
    }

    @Test
    void rejectsTooManyBackends() throws IOException {
        SliceTable table = new SliceTable(Optional.of("80"));
        for (int i = 0; i <= BackendSet.MAX; i++) {
            table.put(new Slice(
                    "web-" + i,
                    "IPv4",
                    List.of(new Slice.Port("", 80)),
                    List.of(new Slice.Endpoint("10." + i / 65536 + "." + i / 256 % 256 + "." + i % 256, true, false))));
        }

        assertThatThrownBy(table::backends).hasMessage("more than 10000 backends");
    }

    @Test
    void rejectsTooManyPorts() throws IOException {
        SliceTable table = new SliceTable(Optional.empty());
        List<Slice.Port> max = Collections.nCopies(SliceTable.MAX_PORTS_PER_SLICE, new Slice.Port("http", 80));
        List<Slice.Port> tooMany = Collections.nCopies(SliceTable.MAX_PORTS_PER_SLICE + 1, new Slice.Port("http", 80));

        assertThatThrownBy(() -> table.put(new Slice("web-more", "IPv4", tooMany, List.of())))
                .isInstanceOf(IOException.class)
                .hasMessage("more than 400000 ports in all EndpointSlices, or more than 20000 in one EndpointSlice");
        table.remove("web-more");
        for (int i = 0; i < SliceTable.MAX_PORTS / SliceTable.MAX_PORTS_PER_SLICE; i++) {
            table.put(new Slice("web-" + i, "IPv4", max, List.of()));
            table.put(new Slice("web-" + i, "IPv4", max, List.of()));
        }
        assertThatThrownBy(() -> table.put(new Slice("web-more", "IPv4", max.subList(0, 1), List.of())))
                .isInstanceOf(IOException.class);
    }

    @Test
    void rejectsInvalidNames() throws IOException {
        SliceTable table = new SliceTable(Optional.empty());
        String max = "x".repeat(SliceTable.MAX_CHARACTERS);
        table.put(new Slice(max, max, List.of(new Slice.Port(max, 80)), List.of(new Slice.Endpoint(max, true, false))));

        String tooLong = max + "x";
        for (Slice each : List.of(
                new Slice(tooLong, "IPv4", List.of(), List.of()),
                new Slice("web", tooLong, List.of(), List.of()),
                new Slice("web", "IPv4", List.of(new Slice.Port(tooLong, 80)), List.of()),
                new Slice("web", "IPv4", List.of(), List.of(new Slice.Endpoint(tooLong, true, false))))) {
            assertThatThrownBy(() -> table.put(each))
                    .isInstanceOf(IOException.class)
                    .hasMessage("an EndpointSlice has a name or an address of more than 253 characters");
        }
    }

    @Test
    void rejectsEndlessList() throws IOException {
        SliceTable table = new SliceTable(Optional.empty());
        table.add(new SlicePage(List.of(), "1", "next", SliceTable.MAX_BYTES));

        assertThatThrownBy(() -> table.add(SlicePage.read(list(1, "next").getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(IOException.class)
                .hasMessage("the list of EndpointSlices is larger than 67108864 bytes");
    }

    @Test
    void rejectsTruncatedList() {
        String text =
                list(7, "", slice("web-a", 1, endpoint("10.0.0.1", READY))).strip();
        for (int length = 0; length < text.length(); length++) {
            byte[] prefix = text.substring(0, length).getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> SlicePage.read(prefix)).isInstanceOf(IOException.class);
        }
    }

    private static Slice named(Slice slice, String name) {
        return new Slice(name, slice.addressType(), slice.ports(), slice.endpoints());
    }

    private static List<String> backends(Optional<String> port, String... slices) throws IOException {
        SliceTable table = new SliceTable(port);
        for (Slice slice : slices(slices)) {
            table.put(slice);
        }
        return table.backends().sorted().stream()
                .map(each -> each.address() + (each.draining() ? " draining" : ""))
                .toList();
    }

    private static List<Slice> slices(String... slices) throws IOException {
        return SlicePage.read(list(7, "", slices).getBytes(StandardCharsets.UTF_8))
                .slices();
    }
}
