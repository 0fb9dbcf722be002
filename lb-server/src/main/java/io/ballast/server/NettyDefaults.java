package io.ballast.server;

/**
 * Settings of Netty that are system properties and must be set before its classes are loaded. One given on the command
 * line wins.
 */
final class NettyDefaults {

    private NettyDefaults() {}

    static void apply() {
        // Even the "simple" level wraps buffers; tests run with "paranoid" instead.
        set("io.netty.leakDetection.level", "disabled");
        // Our buffers come from a pool of our own; what else Netty allocates is little.
        set("io.netty.allocator.numHeapArenas", "1");
        set("io.netty.allocator.numDirectArenas", "1");
        set("io.netty.allocator.maxOrder", "3");
    }

    private static void set(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
