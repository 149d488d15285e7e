//! Calls the `main` of a wasm module that needs nothing from its host, and exits as it says.
//!
//! `cargo run --release --example run_wasm -- MODULE.wasm`
//!
//! `cargo xtask test vectors` builds the example `vectors` for wasm32 and runs it with this.

use std::process::ExitCode;

use wasmi::{Engine, Linker, Module, Store};

fn main() -> ExitCode {
    let path = std::env::args().nth(1).expect("the path of a module");
    let bytes = std::fs::read(&path).expect("the module is readable");
    match call_main(&bytes) {
        Ok(code) => {
            println!("{path}: main returned {code}");
            ExitCode::from(u8::from(code != 0))
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Instantiates the module without imports and calls its `main` without arguments.
fn call_main(bytes: &[u8]) -> Result<i32, wasmi::Error> {
    let engine = Engine::default();
    let module = Module::new(&engine, bytes)?;
    let mut store = Store::new(&engine, ());
    let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
    let main = instance.get_typed_func::<(i32, i32), i32>(&store, "main")?;
    main.call(&mut store, (0, 0))
}
