//! Checks a ruleset of a folder: `cargo run -p compiler --example check -- games skirmish`.

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, name] = args.as_slice() else { panic!("usage: check FOLDER NAME") };
    let library = compiler::library::Folders::new([root.into()]);
    match compiler::compile(name, &library) {
        Ok(ruleset) => println!(
            "{name}: {} instructions, {}",
            ruleset.program().code.len(),
            ruleset::hash::to_hex(&ruleset.rules_hash())
        ),
        Err(mistakes) => print!("{}", compiler::render(&mistakes)),
    }
}
