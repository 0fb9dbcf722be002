module ballast/bench/client

go 1.24
