package io.ballast.server.host;

/**
 * Settings of Netty that are system properties and must be set before its classes are loaded. A property
 * given on the command line takes precedence.
 */
public final class NettyDefaults {

    private NettyDefaults() {}

    public static void apply() {
        // With multishot accept, Netty 4.2.20 retries immediately after any error, forever.
        set("io.netty.iouring.acceptMultiShotEnabled", "false");
        // Even the "simple" level wraps buffers; tests run with "paranoid" instead.
        set("io.netty.leakDetection.level", "disabled");
        // Our buffers come from our own pool. Netty's other allocations are small; the pooled allocator uses the same
        // code for them as our pool. The JIT compiler (C2) needed 17 MB to compile the code of the adaptive allocator
        // for the first long scrape.
        set("io.netty.allocator.type", "pooled");
        set("io.netty.allocator.numHeapArenas", "1");
        set("io.netty.allocator.numDirectArenas", "1");
        set("io.netty.allocator.maxOrder", "3");
        NativeDirectory.findAlternative().ifPresent(directory -> set("io.netty.native.workdir", directory.toString()));
    }

    /** Sets a property unless it is set already. */
    public static void set(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
